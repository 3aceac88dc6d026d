//! The contract between a game's rules and everything that plays it: one trait for each concern.
//!
//! | trait | what is in it | who asks for it |
//! | --- | --- | --- |
//! | [`Rules`] | states, actions, outcomes and their ids; legal actions; apply; scores | perft, rollouts, batches |
//! | [`Setup`] | what is known before options, options, component sets, construction, bounds | whoever makes a game |
//! | [`Notation`] | text of actions and outcomes, both ways | people, records |
//! | [`Knowledge`] | what a seat perceives and learns, worlds that fit | search, matches |
//! | [`Data`] | JSON and bytes of states and observations | records, pickles, tests |
//! | [`Features`] | an observation as numbers, written to a sink | tensors, networks, batches |
//! | [`Drawing`] | the picture of an observation, and what a person types for it | terminals |
//! | [`Judgement`] | the game's own evaluation, looks at actions, recommended settings | greedy, search |
//! | [`Audit`] | the invariants of the rule page, from scratch | tests |
//!
//! [`Game`] is all of them. A game with [`Rules`] and [`Setup`] alone compiles and plays at random; with [`Notation`] it counts perft,
//! whose draws are ordered by notation. A game implements each trait in the file of its folder where the code is, under the names
//! that stand here. In each trait the required methods come first; a provided method says what an override must be equal to.
//!
//! A game holds rules, components and options; its [`Rules::State`] is plain data without a pointer to it. A position is a decision,
//! a chance node or terminal ([`crate::player::Turn`]). Nothing random is decided in advance and no state holds a generator: a draw
//! is a chance node with integer weights at the moment the rules make it happen.
//!
//! # Example
//! A random game, by [`Rules`] and [`Notation`] alone:
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use forbidden_games_core::contract::{Knowledge, Notation, Rules, Step, play};
//! use forbidden_games_core::event::Event;
//! use forbidden_games_core::player::{Player, Turn};
//! use forbidden_games_core::rng::Rng;
//! use forbidden_games_core::testing::pebbles::pebbles;
//!
//! let game = pebbles(2);
//! let mut state = game.new_state();
//! let mut rng = Rng::stream(7, "example", 0);
//! let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
//! while !game.is_terminal(&state) {
//!     let step = match game.turn(&state) {
//!         Turn::Chance => Step::Outcome(game.sample_outcome(&state, &mut rng, &mut outcomes)),
//!         _ => Step::Action(game.sample_action(&state, &mut rng, &mut actions)),
//!     };
//!     game.apply(&mut state, step);
//! }
//! assert_eq!(game.ranking(&state).len(), 2);
//!
//! // What comes from outside is read, then checked, then applied.
//! let mut state = game.new_state();
//! let mut events: Vec<Event> = Vec::new();
//! for _ in 0..4 {
//!     let step = game.parse_step(&state, "amber")?;
//!     play(&game, &mut state, step, &mut events)?;
//! }
//! let step = game.parse_step(&state, "claim")?;
//! let refused = play(&game, &mut state, step, &mut events).unwrap_err();
//! assert_eq!(refused.to_string(), "claim is not legal: PB-4: not in the phase drop");
//! // The draws of the other seat are private, and so is its hand.
//! assert_eq!(events.iter().filter(|event| event.is_visible_to(Player(0))).count(), 2);
//! assert_eq!(game.observation(&state, Player(0)), game.observation(&state.clone(), Player(0)));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who may see what
//! A seat is shown a [`Knowledge::Observation`], a type that cannot hold what the seat may not know. Drawing, a seat's JSON, tensors,
//! keys, `sample_world` and agents take observations, never states.

mod audit;
mod data;
mod drawing;
mod features;
mod judgement;
mod knowledge;
mod notation;
mod rules;
mod setup;

pub use audit::Audit;
pub use data::{Data, StateHeader, read_state_header, state_header};
pub use drawing::{DrawRequest, Drawing};
pub use features::Features;
pub use judgement::{Judgement, evaluate_after_each, value_of};
pub use knowledge::{Knowledge, Observed};
pub use notation::{Notation, check, play};
pub use rules::{Rules, Step, StepOf};
pub use setup::{Info, Setup};

/// A game in full: whatever implements every trait of the contract.
pub trait Game: Rules + Setup + Notation + Knowledge + Data + Features + Drawing + Judgement + Audit {}

impl<G: Rules + Setup + Notation + Knowledge + Data + Features + Drawing + Judgement + Audit> Game for G {}
