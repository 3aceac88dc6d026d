//! Tells the crate the name of the cargo profile, which cargo itself tells nobody: `PROFILE` is `release` for every profile that
//! inherits from it.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // OUT_DIR is target/[triple/]PROFILE/build/NAME-HASH/out, and the folder of the profile `dev` is called `debug`.
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let profile = Path::new(&out).ancestors().nth(3).and_then(Path::file_name).and_then(|name| name.to_str());
    println!("cargo::rustc-env=FORBIDDEN_GAMES_PROFILE={}", profile.unwrap_or("unknown"));
}
