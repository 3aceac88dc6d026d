//! What a game promises before any state: ids, notation, options, layout.

use super::check::{Check, ensure};
use crate::canvas::Canvas;
use crate::contract::Game;
use crate::notation::normalize;
use crate::options::ComponentSource;

/// Ids checked one by one; of larger spaces an even selection.
const MAX_IDS: usize = 4096;

pub(crate) fn check<G: Game>(game: &G) -> Check {
    check_info(game)?;
    check_options(game)?;
    for id in selection(game.num_actions()) {
        let Some(action) = game.action_from_id(id) else { return Err(format!("action id {id} means nothing")) };
        ensure!(game.action_id(action) == id, "action id {id} becomes {}", game.action_id(action));
        let text = game.format_action(action);
        check_notation(&text, action, |text| game.parse_action(text).map_err(|error| error.to_string()))?;
        ensure!(!game.action_group(action).is_empty(), "action {text} has no group");
    }
    for id in [game.num_actions(), game.num_actions() + 1, u32::MAX as usize] {
        ensure!(game.action_from_id(id as u32).is_none(), "action id {id} is out of range but means something");
    }
    for id in selection(game.num_outcomes()) {
        let Some(outcome) = game.outcome_from_id(id) else { return Err(format!("outcome id {id} means nothing")) };
        ensure!(game.outcome_id(outcome) == id, "outcome id {id} becomes {}", game.outcome_id(outcome));
        let text = game.format_outcome(outcome);
        check_notation(&text, outcome, |text| game.parse_outcome(text).map_err(|error| error.to_string()))?;
    }
    for id in [game.num_outcomes(), game.num_outcomes() + 1, u32::MAX as usize] {
        ensure!(game.outcome_from_id(id as u32).is_none(), "outcome id {id} is out of range but means something");
    }
    let order = |a: u32, b: u32| game.action_from_id(a) < game.action_from_id(b);
    let ids = selection(game.num_actions());
    ensure!(ids.windows(2).all(|pair| order(pair[0], pair[1])), "the order of actions is not that of their ids");
    Ok(())
}

fn selection(size: usize) -> Vec<u32> {
    let step = size.div_ceil(MAX_IDS).max(1);
    // The last id is always among them.
    (0..size).step_by(step).chain(size.checked_sub(1).filter(|last| last % step != 0)).map(|id| id as u32).collect()
}

/// Canonical, ASCII, read back, read in any case and with extra blanks.
pub(crate) fn check_notation<T: PartialEq + std::fmt::Debug>(
    text: &str,
    value: T,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Check {
    ensure!(text.is_ascii() && !text.is_empty(), "notation {text:?} is not ASCII");
    // Names from component files (kinds that are drawn) may have capital letters.
    ensure!(normalize(text) == text.to_ascii_lowercase(), "notation {text:?} has blanks too many");
    let spaced = text.replace(' ', " \t ");
    let variants =
        [text.to_owned(), text.to_ascii_uppercase(), format!("  {text}\n"), spaced, text[..1].to_ascii_uppercase() + &text[1..]];
    for variant in variants {
        match parse(&variant) {
            Ok(read) => ensure!(read == value, "{variant:?} is read as {read:?}, expected {value:?}"),
            Err(error) => return Err(format!("{variant:?} is not read: {error}")),
        }
    }
    Ok(())
}

fn check_info<G: Game>(game: &G) -> Check {
    let info = G::INFO;
    let is_name = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    ensure!(is_name(info.name), "name {:?} is not lower-case words", info.name);
    ensure!(!info.title.is_empty() && !info.summary.is_empty(), "the title or summary is empty");
    ensure!(!info.rules.is_empty() && !info.readme.is_empty(), "a page is empty");
    let in_order = info.min_players <= info.default_players && info.default_players <= info.max_players;
    ensure!(info.min_players >= 1 && in_order, "numbers of players are out of order");
    ensure!((info.min_players..=info.max_players).contains(&game.num_players()), "{} players", game.num_players());
    ensure!(!info.phases.is_empty(), "there is no phase");
    let layout = game.observation_layout();
    let mut offset = 0;
    for (index, block) in layout.blocks().iter().enumerate() {
        ensure!(block.offset == offset, "block {} begins at {}, expected {offset}", block.name, block.offset);
        ensure!(!block.is_empty() && !block.meaning.is_empty(), "block {} is empty or not explained", block.name);
        let is_new = layout.blocks()[..index].iter().all(|other| other.name != block.name);
        ensure!(is_new, "two blocks are named {}", block.name);
        offset += block.len();
    }
    ensure!(offset == layout.size() && offset > 0, "the layout has {} values, its blocks {offset}", layout.size());
    let mut canvas = Canvas::new();
    game.draw_components(&mut canvas);
    ensure!(canvas.height() > 0, "the components draw nothing");
    ensure!(canvas.to_text(false, true).is_ascii(), "the components do not draw as ASCII");
    let (name, _) = G::builtin_components()[0];
    ensure!(crate::data::is_set_name(name), "the set name {name:?} is not allowed");
    Ok(())
}

fn check_options<G: Game>(game: &G) -> Check {
    let schema = G::option_schema();
    let options = game.options();
    let names: Vec<&str> = schema.iter().map(|spec| spec.name).collect();
    ensure!(
        options.keys().map(String::as_str).eq(names.iter().copied()),
        "options {options:?} are not those of the schema {names:?}"
    );
    for spec in &schema {
        spec.check(&options[spec.name]).map_err(|error| error.to_string())?;
        spec.check(&spec.default).map_err(|error| format!("the default: {error}"))?;
        ensure!(!spec.meaning.is_empty(), "option {} is not explained", spec.name);
    }
    let components = game.components();
    let again = G::new(game.num_players(), &options, Some(&ComponentSource::from_json(&components)))
        .map_err(|error| format!("its own options and components are refused: {error}"))?;
    ensure!(again.options() == options && again.components() == components, "made again it has other options or components");
    ensure!(again.action_space() == game.action_space(), "made again it has another action space");
    ensure!(again.new_state() == game.new_state(), "made again it begins otherwise");
    if components.is_string() {
        // The option that holds the set's name is enough for a built-in set.
        let named = G::new(game.num_players(), &options, None).map_err(|error| error.to_string())?;
        ensure!(named.components() == components, "its options alone give another component set");
    }
    for players in [0, G::INFO.max_players + 1, usize::MAX] {
        ensure!(G::new(players, &options, None).is_err(), "{players} players are accepted");
    }
    let mut unknown = options.clone();
    unknown.insert("no such option".into(), 1.into());
    ensure!(G::new(game.num_players(), &unknown, None).is_err(), "an unknown option is accepted");
    Ok(())
}
