//! Enums whose variants have names: phases, kinds, words of an option.

/// An enum whose variants have names, made by [`crate::named_enum!`]. Variants are numbered from 0 in the order of [`Named::ALL`].
pub trait Named: Copy + Eq + 'static {
    /// Every variant in order.
    const ALL: &'static [Self];

    /// The name of each variant, in the order of [`Named::ALL`].
    const NAMES: &'static [&'static str];

    /// The place in [`Named::ALL`].
    fn index(self) -> usize;

    /// The name.
    #[inline]
    fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }

    /// The variant with this name.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|&known| known == name).map(|index| Self::ALL[index])
    }
}

/// Declares an enum with a name for each variant, and implements [`Named`] for it.
///
/// ```
/// use forbidden_games_core::named_enum;
/// use forbidden_games_core::names::Named;
///
/// named_enum! {
///     /// What is decided.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum Phase {
///         /// A tile is laid.
///         Lay = "lay",
///         /// The game has ended.
///         End = "end",
///     }
/// }
/// assert_eq!(Phase::NAMES, ["lay", "end"]);
/// assert_eq!(Phase::from_name("end"), Some(Phase::End));
/// assert_eq!(Phase::End.name(), "end");
/// ```
#[macro_export]
macro_rules! named_enum {
    ($(#[$attribute:meta])* $visibility:vis enum $name:ident {
        $($(#[$variant_attribute:meta])* $variant:ident = $text:literal),+ $(,)?
    }) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$variant_attribute])* $variant),+
        }

        impl $crate::names::Named for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const NAMES: &'static [&'static str] = &[$($text),+];

            #[inline]
            fn index(self) -> usize {
                self as usize
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Named;

    named_enum! {
        /// Three of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Colour {
            /// One.
            Red = "red",
            Dark = "dark red",
            Blue = "blue",
        }
    }

    #[test]
    fn names_places_and_variants_agree() {
        assert_eq!((Colour::ALL.len(), Colour::NAMES.len()), (3, 3));
        for (index, &colour) in Colour::ALL.iter().enumerate() {
            assert_eq!(colour.index(), index);
            assert_eq!(Colour::from_name(colour.name()), Some(colour));
        }
        assert_eq!(Colour::from_name("dark"), None);
    }
}
