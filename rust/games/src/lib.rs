//! The four games. Each has a folder with the same files; this file lists them once.

#![forbid(unsafe_code)]

/// Calls `$macro!` with every game as `(Variant, module)`: the one line that a new game adds. Arguments after the name go before
/// the list as they are.
#[macro_export]
macro_rules! for_each_game {
    ($macro:ident $($arguments:tt)*) => {
        $macro! {
            $($arguments)*
            (ForbiddenCity, forbidden_city),
            (Qin, qin),
            (DragonCastle, dragon_castle),
            (TangGarden, tang_garden),
        }
    };
}

pub mod any;

macro_rules! declare_modules {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(pub mod $module;)* };
}
for_each_game!(declare_modules);
