//! A state as bytes: written to memory or to a hash, read back with every range checked.
//!
//! A game writes a state once, in [`crate::contract::Data::write_bytes`]; pickles and keys come from the same walk. Numbers are
//! little-endian.
//!
//! ```
//! use forbidden_games_core::bytes::{ByteReader, ByteSink, KeyHasher};
//!
//! let mut bytes = Vec::new();
//! bytes.u32(40);
//! bytes.u8(2);
//! let mut reader = ByteReader::new(&bytes);
//! assert_eq!(reader.u32("ply")?, 40);
//! let error = reader.below("seat", 2).unwrap_err();
//! assert_eq!(error.to_string(), "state: seat: found 2, expected a number below 2");
//!
//! // The same walk over a state makes the key.
//! let mut hasher = KeyHasher::new();
//! hasher.u32(40);
//! hasher.u8(2);
//! assert_eq!(hasher.finish(), KeyHasher::of(&bytes));
//! # Ok::<(), forbidden_games_core::error::StateError>(())
//! ```

use crate::error::StateError;

/// Where bytes go.
pub trait ByteSink {
    /// Takes bytes.
    fn bytes(&mut self, bytes: &[u8]);

    /// Takes one byte.
    #[inline]
    fn u8(&mut self, value: u8) {
        self.bytes(&[value]);
    }

    /// Takes two bytes.
    #[inline]
    fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Takes four bytes.
    #[inline]
    fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Takes four bytes.
    #[inline]
    fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Takes eight bytes.
    #[inline]
    fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }
}

impl ByteSink for Vec<u8> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// A 64-bit hash of bytes, eight at a time, the same on every platform.
///
/// # Stability
/// Keys of a version stay what they are; they are pinned by tests. It is no defence against bytes made to collide.
#[derive(Clone, Debug)]
pub struct KeyHasher {
    hash: u64,
    /// Bytes that do not fill a word yet, the first of them lowest.
    word: u64,
    length: u64,
}

/// Multiplier of [`fold`]: odd, its bits spread.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes one word into a hash: the two halves of a 128-bit product.
#[inline]
const fn fold(hash: u64, word: u64) -> u64 {
    let product = ((hash ^ word) as u128).wrapping_mul((MULTIPLIER ^ word.rotate_left(32)) as u128 | 1);
    (product as u64) ^ ((product >> 64) as u64) ^ hash.rotate_left(23)
}

impl Default for KeyHasher {
    fn default() -> Self {
        Self::new()
    }
}

impl KeyHasher {
    /// A hash of nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { hash: 0x243f_6a88_85a3_08d3, word: 0, length: 0 }
    }

    /// The hash of what was taken.
    #[must_use]
    pub const fn finish(&self) -> u64 {
        let mut hash = fold(self.hash, self.word);
        hash = fold(hash, self.length);
        hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^ (hash >> 32)
    }

    /// The hash of `bytes` alone.
    #[must_use]
    pub fn of(bytes: &[u8]) -> u64 {
        let mut hasher = Self::new();
        hasher.bytes(bytes);
        hasher.finish()
    }
}

impl ByteSink for KeyHasher {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        let filled = self.length % 8;
        self.length += bytes.len() as u64;
        if filled != 0 {
            let take = rest.len().min(8 - filled as usize);
            for (place, &byte) in rest[..take].iter().enumerate() {
                self.word |= u64::from(byte) << (8 * (filled + place as u64));
            }
            rest = &rest[take..];
            if (filled as usize) + take < 8 {
                return;
            }
            self.hash = fold(self.hash, self.word);
            self.word = 0;
        }
        let mut words = rest.chunks_exact(8);
        for word in words.by_ref() {
            self.hash = fold(self.hash, u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        for (place, &byte) in words.remainder().iter().enumerate() {
            self.word |= u64::from(byte) << (8 * place);
        }
    }

    #[inline]
    fn u64(&mut self, value: u64) {
        if self.length.is_multiple_of(8) {
            self.length += 8;
            self.hash = fold(self.hash, value);
        } else {
            self.bytes(&value.to_le_bytes());
        }
    }
}

/// Reads what a [`ByteSink`] took. Every read names what it reads, for its error.
#[derive(Clone, Debug)]
pub struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    /// A reader at the first byte.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// If there are not so many.
    #[inline]
    pub fn bytes(&mut self, name: &'static str, count: usize) -> Result<&'a [u8], StateError> {
        let Some(bytes) = self.bytes[self.at..].get(..count) else {
            return Err(StateError::new(name, format!("{} bytes", self.bytes.len() - self.at), format!("{count} bytes")));
        };
        self.at += count;
        Ok(bytes)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// If there are not so many.
    #[inline]
    pub fn array<const N: usize>(&mut self, name: &'static str) -> Result<[u8; N], StateError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(name, N)?);
        Ok(array)
    }

    /// One byte.
    ///
    /// # Errors
    /// If there is none.
    #[inline]
    pub fn u8(&mut self, name: &'static str) -> Result<u8, StateError> {
        Ok(self.array::<1>(name)?[0])
    }

    /// Two bytes.
    ///
    /// # Errors
    /// If there are not so many.
    #[inline]
    pub fn u16(&mut self, name: &'static str) -> Result<u16, StateError> {
        Ok(u16::from_le_bytes(self.array(name)?))
    }

    /// Four bytes.
    ///
    /// # Errors
    /// If there are not so many.
    #[inline]
    pub fn u32(&mut self, name: &'static str) -> Result<u32, StateError> {
        Ok(u32::from_le_bytes(self.array(name)?))
    }

    /// Four bytes.
    ///
    /// # Errors
    /// If there are not so many.
    #[inline]
    pub fn i32(&mut self, name: &'static str) -> Result<i32, StateError> {
        Ok(i32::from_le_bytes(self.array(name)?))
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// If there are not so many.
    #[inline]
    pub fn u64(&mut self, name: &'static str) -> Result<u64, StateError> {
        Ok(u64::from_le_bytes(self.array(name)?))
    }

    /// A byte that is 0 or 1.
    ///
    /// # Errors
    /// If it is neither.
    #[inline]
    pub fn flag(&mut self, name: &'static str) -> Result<bool, StateError> {
        Ok(self.below(name, 2)? == 1)
    }

    /// A byte below `bound`.
    ///
    /// # Errors
    /// If it is not.
    #[inline]
    pub fn below(&mut self, name: &'static str, bound: usize) -> Result<u8, StateError> {
        let value = self.u8(name)?;
        if usize::from(value) < bound { Ok(value) } else { Err(out_of_range(name, value.into(), bound)) }
    }

    /// A number of two bytes below `bound`.
    ///
    /// # Errors
    /// If it is not.
    #[inline]
    pub fn below_u16(&mut self, name: &'static str, bound: usize) -> Result<u16, StateError> {
        let value = self.u16(name)?;
        if usize::from(value) < bound { Ok(value) } else { Err(out_of_range(name, value.into(), bound)) }
    }

    /// That nothing is left.
    ///
    /// # Errors
    /// If something is.
    pub fn finish(self) -> Result<(), StateError> {
        let left = self.bytes.len() - self.at;
        if left == 0 { Ok(()) } else { Err(StateError::new("bytes", format!("{left} more"), "the end")) }
    }

    /// What has not been read.
    #[must_use]
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }
}

fn out_of_range(name: &'static str, value: usize, bound: usize) -> StateError {
    StateError::new(name, value.to_string(), format!("a number below {bound}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_pinned() {
        let pinned = [KeyHasher::of(b""), KeyHasher::of(b"a"), KeyHasher::of(b"12345678"), KeyHasher::of(b"123456789")];
        assert_eq!(pinned, PINNED, "a change of keys is a CHANGELOG entry under Reproducibility");
    }

    const PINNED: [u64; 4] = [4939983458151504657, 37151518711183489, 9047429332859661840, 2825013438711636065];

    #[test]
    fn how_bytes_are_cut_does_not_matter() {
        let bytes: Vec<u8> = (0..100_u8).map(|byte| byte.wrapping_mul(37)).collect();
        let whole = KeyHasher::of(&bytes);
        for cut in 0..bytes.len() {
            let mut hasher = KeyHasher::new();
            hasher.bytes(&bytes[..cut]);
            for &byte in &bytes[cut..] {
                hasher.u8(byte);
            }
            assert_eq!(hasher.finish(), whole, "cut at {cut}");
        }
        let mut by_words = KeyHasher::new();
        let mut as_bytes = KeyHasher::new();
        by_words.u8(1);
        as_bytes.u8(1);
        for word in [5_u64, u64::MAX, 0] {
            by_words.u64(word);
            as_bytes.bytes(&word.to_le_bytes());
        }
        assert_eq!(by_words.finish(), as_bytes.finish());
    }

    #[test]
    fn one_bit_changes_about_half_of_the_hash() {
        let mut least = 64;
        let mut sum = 0;
        for place in 0..64_usize {
            for bit in 0..8 {
                let mut bytes = [0_u8; 64];
                let before = KeyHasher::of(&bytes);
                bytes[place] ^= 1 << bit;
                let changed = (before ^ KeyHasher::of(&bytes)).count_ones();
                least = least.min(changed);
                sum += changed;
            }
        }
        assert!(least >= 8 && (31.0..33.0).contains(&(f64::from(sum) / 512.0)), "least {least}, sum {sum}");
    }

    #[test]
    fn lengths_and_zeros_count() {
        let mut seen = std::collections::HashSet::new();
        for length in 0..100 {
            assert!(seen.insert(KeyHasher::of(&vec![0; length])), "{length} zeros");
        }
    }

    #[test]
    fn a_reader_checks_ranges_and_the_end() {
        let mut bytes = Vec::new();
        bytes.u16(300);
        bytes.u8(7);
        bytes.i32(-2);
        let mut reader = ByteReader::new(&bytes);
        assert_eq!(
            reader.clone().below_u16("place", 300).map_err(|error| error.to_string()),
            Err("state: place: found 300, expected a number below 300".to_owned())
        );
        assert_eq!(reader.below_u16("place", 301), Ok(300));
        assert!(reader.clone().below("kind", 7).is_err());
        assert_eq!(reader.below("kind", 8), Ok(7));
        assert!(reader.clone().finish().is_err());
        assert_eq!(reader.i32("coins"), Ok(-2));
        assert!(reader.clone().u8("more").is_err());
        assert!(reader.finish().is_ok());
    }
}
