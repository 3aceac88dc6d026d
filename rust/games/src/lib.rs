//! The four games. Each has a folder with the same files; this file lists them twice: as modules, for the compiler and every
//! tool that follows `mod` (cargo fmt, mutation tests), and in `for_each_game!`. A test in `any` compares the two lists.

#![forbid(unsafe_code)]

/// Calls `$macro!` with every game as `(Variant, module)`. Arguments after the name go before the list as they are.
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
pub mod dragon_castle;
pub mod forbidden_city;
pub mod qin;
pub mod tang_garden;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::any::GameId;

    #[test]
    fn every_game_folder_is_in_the_list_of_games() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders: Vec<String> = source
            .read_dir()
            .expect("src is there")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.join("mod.rs").exists() && !path.ends_with("any"))
            .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
            .collect();
        folders.sort_unstable();
        let mut listed: Vec<&str> = GameId::all().map(|game| game.info().name).collect();
        listed.sort_unstable();
        assert_eq!(folders, listed);
    }
}
