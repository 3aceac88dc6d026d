//! Final scoring (TG-7.4 to 7.7) by small numbers.

use super::super::Game;
use super::super::board::{BOARD, CENTRAL, FREE, SIGHT, START, bit, parse_square, square_name, squares};
use super::super::scoring::{pavilion_coins, tree_coins};

#[test]
fn tg_7_4_4_pavilions() {
    for (cards, coins) in [
        (&[0, 0][..], &[0, 0][..]),
        (&[1, 0], &[12, 0]),
        (&[2, 1], &[12, 6]),
        (&[3, 3], &[9, 9]),
        (&[2, 2, 1], &[9, 9, 0]),
        (&[3, 1, 1], &[12, 3, 3]),
        (&[3, 1, 1, 1], &[12, 2, 2, 2]),
        (&[1, 1, 1, 1], &[4, 4, 4, 4]),
        (&[2, 0, 0, 1], &[12, 0, 0, 6]),
        (&[0, 3, 2, 1], &[0, 12, 6, 0]),
    ] {
        assert_eq!(pavilion_coins(cards).as_slice(), coins, "{cards:?}");
    }
}

#[test]
fn tg_7_4_5_trees() {
    for (cards, coins) in
        [([0; 5], 0), ([1, 0, 0, 0, 0], 1), ([1; 5], 25), ([2, 1, 1, 0, 0], 10), ([3, 2, 0, 0, 1], 14), ([2; 5], 50)]
    {
        assert_eq!(tree_coins(&cards), coins, "{cards:?}");
    }
}

#[test]
fn tg_13_6_titles() {
    let titles: Vec<&str> = [-3, 19, 20, 34, 35, 49, 50].into_iter().map(Game::solo_title).collect();
    assert_eq!(titles, ["apprentice", "apprentice", "gardener", "gardener", "master", "master", "imperial architect"]);
}

#[test]
fn tg_2_2_the_board_has_48_squares() {
    let names: Vec<String> = squares(BOARD).map(square_name).collect();
    assert_eq!(names.len(), 48);
    assert_eq!(names[..5], ["c1", "d1", "e1", "f1", "c2"]);
    assert_eq!((FREE.count_ones(), CENTRAL.count_ones(), START.count_ones()), (44, 28, 4));
    assert_eq!(parse_square("b2"), None);
    assert_eq!(parse_square("a3").map(square_name).as_deref(), Some("a3"));
}

#[test]
fn tg_7_5_lines_end_before_the_corner_blocks_and_see_the_start_tile_whole() {
    let line = |square: &str, side: usize| -> Vec<String> {
        let at = parse_square(square).expect("a square");
        squares(SIGHT[usize::from(at)][side]).map(square_name).collect()
    };
    assert_eq!(line("c3", 0), ["c1", "c2", "c3"]);
    assert_eq!(line("c2", 3), ["c2"]);
    assert_eq!(line("b3", 0), ["b3"]);
    assert_eq!(line("f4", 3), ["a4", "b4", "c4", "d4", "e4", "f4", "d5", "e5"]);
    assert_eq!(line("d4", 0), ["d1", "d2", "d3", "d4", "e4", "d5", "e5"]);
    assert_eq!(line("h6", 1), ["h6"]);
    assert!(squares(BOARD).all(|square| (0..4).all(|side| SIGHT[usize::from(square)][side] & bit(square) != 0)));
}
