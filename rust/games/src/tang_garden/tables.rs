//! What is worked out once from a component set and the options: faces of turned tiles, canonical rotations, the start tile,
//! the sizes of the id spaces.

use super::board::{NONE, START_PLACE, START_PLACES, START_SQUARES};
use super::components::{Components, PATH};
use super::options::Settings;

/// Tile codes from here on are the four squares of the start tile; below they are `4 * kind + rotation`.
pub(super) const START_CODE: u8 = 240;
/// The letter of the start tile's sides that lie inside it.
const INSIDE: u8 = 6;

/// One square of the garden as it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Letter index of each side.
    pub(super) edges: [u8; 4],
    /// What each side asks of [`super::state::State::fits`]: the letter g w r p, or 4 if it fits everywhere.
    pub(super) needs: [u8; 4],
    /// For each terrain side the sides joined with it inside the picture, itself included (bits); else 0.
    pub(super) parts: [u8; 4],
    /// Area bits.
    pub(super) areas: u8,
    /// Letters that a figure sees on it (TG-7.6), bits.
    pub(super) letters: u8,
    /// Terrain of the area closed inside it.
    pub(super) inner: Option<u8>,
    /// Terrain of the temple.
    pub(super) temple: Option<u8>,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) components: Components,
    /// By tile code; as many as a `u8` tells apart.
    pub(super) faces: Box<[Face; 256]>,
    /// By kind: bits of the rotations that are listed (TG-6.4).
    pub(super) rotations: Vec<u8>,
    /// Tile kinds of each stack, ascending.
    pub(super) stack_tiles: [Vec<u8>; 4],
    /// By place of the start tile's edge: places joined with it (bits).
    pub(super) start_regions: [u8; 8],
    /// Letters that a figure sees on the start tile.
    pub(super) start_letters: u8,
    /// Landscape kinds of each size (bits).
    pub(super) size_kinds: [u64; 2],
    /// By column: thresholds at or below it.
    pub(super) reached: [u8; 11],
    /// Starters (bits of characters).
    pub(super) starters: u16,
}

impl Tables {
    pub(super) fn new(components: Components, settings: &Settings) -> Self {
        let blank = Face { edges: [INSIDE; 4], needs: [4; 4], parts: [0; 4], areas: 0, letters: 0, inner: None, temple: None };
        let mut faces = Box::new([blank; 256]);
        let mut rotations = Vec::new();
        for (kind, tile) in components.tiles.iter().enumerate() {
            let mut listed = 0_u8;
            for rotation in 0..4 {
                let turn = |bits: u8| (bits << rotation | bits >> (4 - rotation)) & 15;
                let edges: [u8; 4] = std::array::from_fn(|side| tile.edges[(side + 4 - rotation) % 4]);
                let parts = std::array::from_fn(|side| {
                    tile.regions.iter().map(|&region| turn(region)).find(|region| region >> side & 1 == 1).unwrap_or(0)
                });
                let inner = tile.inner.map_or(0, |terrain| 1 << terrain);
                let letters = edges.iter().fold(inner, |bits, &edge: &u8| bits | 1 << edge);
                let face = Face {
                    edges,
                    needs: edges.map(|edge| edge.min(PATH + 1)),
                    parts,
                    areas: tile.area.map_or(0, |area| 1 << area),
                    letters,
                    inner: tile.inner,
                    temple: tile.temple,
                };
                let same = |other: usize| faces[kind * 4 + other].edges == edges && faces[kind * 4 + other].parts == parts;
                if !(0..rotation).any(same) {
                    listed |= 1 << rotation;
                }
                faces[kind * 4 + rotation] = face;
            }
            rotations.push(listed);
        }
        let side = &components.start[settings.start_side];
        let turns = settings.start_rotation;
        let mut start_regions = [0; 8];
        for &region in &side.regions {
            let turned = region.rotate_left(2 * turns as u32);
            for (place, joined) in start_regions.iter_mut().enumerate() {
                if turned >> place & 1 == 1 {
                    *joined = turned;
                }
            }
        }
        for (index, &square) in START_SQUARES.iter().enumerate() {
            let face = &mut faces[usize::from(START_CODE) + index];
            face.areas = side.areas[(index + 4 - turns) % 4];
            for (direction, place) in START_PLACE[usize::from(square)].into_iter().enumerate() {
                if place != NONE {
                    face.edges[direction] = side.edges[(usize::from(place) + 8 - 2 * turns) % 8];
                }
            }
        }
        let start_letters = side.edges.iter().fold(0, |bits, &edge| bits | 1 << edge);
        let stack_tiles = std::array::from_fn(|stack| {
            (0..components.tiles.len() as u8).filter(|&kind| components.tiles[usize::from(kind)].stack == stack).collect()
        });
        let size_kinds = std::array::from_fn(|size| {
            (0..components.landscapes.len())
                .filter(|&kind| components.landscapes[kind].size == size)
                .fold(0, |bits, i| bits | 1 << i)
        });
        let starters =
            (0..components.characters.len()).filter(|&i| components.characters[i].start.is_some()).fold(0, |bits, i| bits | 1 << i);
        let reached = std::array::from_fn(|column| {
            components.thresholds.iter().filter(|&&threshold| usize::from(threshold) <= column).count() as u8
        });
        Self { components, faces, rotations, stack_tiles, start_regions, start_letters, size_kinds, reached, starters }
    }

    /// The face of a tile code.
    #[inline]
    pub(super) fn face(&self, code: u8) -> &Face {
        &self.faces[usize::from(code)]
    }

    /// The smallest rotation that gives the same picture (TG-6.4).
    pub(super) fn canonical_rotation(&self, kind: u8, rotation: u8) -> u8 {
        let code = usize::from(kind) * 4;
        let wanted = &self.faces[code + usize::from(rotation)];
        (0..rotation)
            .find(|&other| {
                let face = &self.faces[code + usize::from(other)];
                face.edges == wanted.edges && face.parts == wanted.parts
            })
            .unwrap_or(rotation)
    }

    /// Calls `visit` with each edge (square, side) joined inside a picture with the terrain edge at `square` and `side`, itself
    /// included.
    #[inline]
    pub(super) fn for_each_joined(&self, code: u8, square: u8, side: usize, mut visit: impl FnMut(u8, usize)) {
        if code >= START_CODE {
            let mut places = self.start_regions[usize::from(START_PLACE[usize::from(square)][side])];
            while places != 0 {
                let (joined, direction) = START_PLACES[places.trailing_zeros() as usize];
                visit(joined, usize::from(direction));
                places &= places - 1;
            }
        } else {
            let mut sides = self.face(code).parts[side];
            while sides != 0 {
                visit(square, sides.trailing_zeros() as usize);
                sides &= sides - 1;
            }
        }
    }

    /// Whether the pieces of `edge` are terrain.
    pub(super) const fn is_terrain(edge: u8) -> bool {
        edge < PATH
    }
}
