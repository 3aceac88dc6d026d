//! Observations as numbers: named blocks in one flat array.
//!
//! A feature is an integer that is never negative, its raw number; a signed quantity is two features. As float32 a feature is raw /
//! scale of its block, as uint8 and in sparse form it is raw. All forms come from one call, [`crate::contract::Features::features`],
//! which hands every feature that is not 0 to a [`FeatureSink`].
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use forbidden_games_core::contract::{Features, Knowledge, Rules};
//! use forbidden_games_core::encoding::FeatureSink;
//! use forbidden_games_core::player::Player;
//! use forbidden_games_core::testing::pebbles::pebbles;
//!
//! /// Counts what is set.
//! struct Count(usize);
//!
//! impl FeatureSink for Count {
//!     fn set(&mut self, _index: usize, raw: u16) {
//!         self.0 += usize::from(raw > 0);
//!     }
//! }
//!
//! let game = pebbles(2);
//! let observation = game.observation(&game.new_state(), Player(0));
//! let mut count = Count(0);
//! game.features(&observation, &mut count);
//!
//! let layout = game.observation_layout();
//! let mut dense = vec![0.0; layout.size()];
//! game.encode(&observation, &mut dense);
//! assert_eq!(count.0, dense.iter().filter(|value| **value != 0.0).count());
//! assert_eq!((layout.blocks()[0].name, layout.blocks()[0].shape.as_slice()), ("columns", &[4, 3, 3][..]));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// One named block of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name, unique in the game.
    pub name: &'static str,
    /// Its shape, C order.
    pub shape: Vec<usize>,
    /// Offset of its first value in the flat array.
    pub offset: usize,
    /// What 1.0 is as a raw number: as float32 a value is raw / scale.
    pub scale: u16,
    /// The greatest raw number.
    pub bound: u16,
    /// What it holds: axes, meaning, unit.
    pub meaning: String,
}

impl Block {
    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Builds a list of blocks one behind the other.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    blocks: Vec<Block>,
    size: usize,
    /// The block of every feature, in a byte each: a table of scales would not stay in the cache.
    block_numbers: Vec<u8>,
    /// The scale of every block.
    scales: Vec<f32>,
    /// So many values at the front are of blocks with scale 1. In most games they are nearly all, and need no look-up.
    unscaled: usize,
}

impl Layout {
    /// A layout without a block.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a block of raw numbers up to `bound`, of which `scale` is 1.0, and returns its offset.
    ///
    /// # Panics
    /// If `scale` is 0, `bound` is more than a sparse value holds (32,767), or there are 256 blocks already.
    pub fn push(&mut self, name: &'static str, shape: &[usize], [scale, bound]: [u16; 2], meaning: impl Into<String>) -> usize {
        assert!(scale > 0 && i16::try_from(bound).is_ok(), "{name}: scale {scale}, bound {bound}");
        assert!(self.blocks.len() <= u8::MAX.into(), "{name}: more than 256 blocks");
        let offset = self.size;
        self.size += shape.iter().product::<usize>();
        self.blocks.push(Block { name, shape: shape.to_vec(), offset, scale, bound, meaning: meaning.into() });
        self.block_numbers.resize(self.size, self.scales.len() as u8);
        self.scales.push(scale.into());
        if scale == 1 && self.unscaled == offset {
            self.unscaled = self.size;
        }
        offset
    }

    /// The blocks in order.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Number of values in all.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// A raw number as float32.
    #[inline]
    pub(crate) fn to_f32(&self, index: usize, raw: u16) -> f32 {
        if index < self.unscaled {
            return raw.into();
        }
        f32::from(raw) / self.scales[usize::from(self.block_numbers[index])]
    }

    /// The block of a feature.
    #[must_use]
    pub fn block_of(&self, index: usize) -> Option<&Block> {
        self.blocks.get(usize::from(*self.block_numbers.get(index)?))
    }

    /// Whether uint8 holds the raw numbers of every block.
    ///
    /// # Errors
    /// The first block that it does not hold.
    pub fn check_u8(&self) -> Result<(), TooWide> {
        match self.blocks.iter().find(|block| block.bound > u8::MAX.into()) {
            None => Ok(()),
            Some(block) => Err(TooWide { block: block.name, bound: block.bound }),
        }
    }
}

/// A block whose raw numbers uint8 cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("uint8 holds at most 255, and block {block} goes up to {bound}: use float32")]
pub struct TooWide {
    /// The block.
    pub block: &'static str,
    /// Its bound.
    pub bound: u16,
}

/// Where the features of an observation go. Each index comes at most once; what is not set is 0.
pub trait FeatureSink {
    /// Takes the raw number of the feature at `index`; 0 may be left out.
    fn set(&mut self, index: usize, raw: u16);

    /// Takes a flag: 1 or nothing.
    #[inline]
    fn flag(&mut self, index: usize, is_set: bool) {
        if is_set {
            self.set(index, 1);
        }
    }
}

/// Dense float32, raw / scale, over zeros.
#[derive(Debug)]
pub struct DenseF32<'a> {
    out: &'a mut [f32],
    layout: &'a Layout,
}

impl<'a> DenseF32<'a> {
    /// A sink into `out`, which has the size of `layout` and holds zeros.
    ///
    /// # Panics
    /// If it has another size.
    #[must_use]
    pub fn new(layout: &'a Layout, out: &'a mut [f32]) -> Self {
        assert_eq!(out.len(), layout.size, "the layout's size");
        Self { out, layout }
    }
}

impl FeatureSink for DenseF32<'_> {
    #[inline]
    fn set(&mut self, index: usize, raw: u16) {
        self.out[index] = self.layout.to_f32(index, raw);
    }
}

/// Dense uint8, raw, over zeros. Only for layouts that [`Layout::check_u8`] accepts.
#[derive(Debug)]
pub struct DenseU8<'a>(pub &'a mut [u8]);

impl FeatureSink for DenseU8<'_> {
    #[inline]
    fn set(&mut self, index: usize, raw: u16) {
        debug_assert!(raw <= u8::MAX.into(), "feature {index}: {raw}");
        self.0[index] = raw as u8;
    }
}

/// Indices with raw numbers, in the order they were set; [`Sparse::sort`] makes them ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sparse(pub Vec<(u32, u16)>);

impl Sparse {
    /// Orders the features by index.
    pub fn sort(&mut self) {
        self.0.sort_unstable_by_key(|&(index, _)| index);
    }
}

impl FeatureSink for Sparse {
    #[inline]
    fn set(&mut self, index: usize, raw: u16) {
        if raw != 0 {
            self.0.push((index as u32, raw));
        }
    }
}

/// Dense float32 that remembers what it set, so that the next observation clears that much and not the whole array.
#[derive(Debug)]
pub struct Reused<'a> {
    out: &'a mut [f32],
    layout: &'a Layout,
    set: &'a mut Vec<u32>,
}

impl<'a> Reused<'a> {
    /// Clears in `out` what `set` lists, the features of the last observation written there, and takes the next one's.
    ///
    /// # Panics
    /// If `out` has another size than `layout`.
    #[must_use]
    pub fn new(layout: &'a Layout, out: &'a mut [f32], set: &'a mut Vec<u32>) -> Self {
        assert_eq!(out.len(), layout.size, "the layout's size");
        for index in set.drain(..) {
            out[index as usize] = 0.0;
        }
        Self { out, layout, set }
    }
}

impl FeatureSink for Reused<'_> {
    #[inline]
    fn set(&mut self, index: usize, raw: u16) {
        self.out[index] = self.layout.to_f32(index, raw);
        self.set.push(index as u32);
    }
}
