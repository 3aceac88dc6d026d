//! Observations as numbers: named blocks in one flat `f32` array.

/// One named block of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name, unique in the game.
    pub name: &'static str,
    /// Its shape, C order.
    pub shape: Vec<usize>,
    /// Offset of its first value in the flat array.
    pub offset: usize,
    /// What it holds: axes, meaning, range.
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
}

impl Layout {
    /// A layout without a block.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a block and returns its offset.
    pub fn push(&mut self, name: &'static str, shape: &[usize], meaning: impl Into<String>) -> usize {
        let offset = self.size;
        self.size += shape.iter().product::<usize>();
        self.blocks.push(Block { name, shape: shape.to_vec(), offset, meaning: meaning.into() });
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
}
