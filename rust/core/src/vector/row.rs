//! One row: a match, what was written of it, and the agents of its seats.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::arrays::{Arrays, WriteFeatures};
use super::config::{Autoreset, Config, OnIllegal, VectorError};
use super::sparse::{Board, Features};
use crate::arena::{Agent, agent_seed};
use crate::contract::{Game, Step};
use crate::encoding::FeatureSink;
use crate::error::IllegalAction;
use crate::interrupt::Interrupt;
use crate::match_play::Match;
use crate::player::{ByPlayer, Player};
use crate::rng::{Rng, derive_seed};
use crate::search::{AgentKind, AgentSpec, SearchError, Session};
use crate::start::Start;

/// What the next step does in a row.
#[derive(Clone, Copy, Debug)]
enum Pending<A> {
    Play(A),
    Lose,
    /// Begin the next game.
    Begin,
    /// Stay finished.
    Wait,
}

/// What ended a game, and what it brought each seat.
struct End {
    is_truncated: bool,
    rewards: ByPlayer<f32>,
    last: Option<Player>,
}

/// Why an action is not played.
pub(super) enum Fault {
    Illegal(IllegalAction),
    NoAction { found: i64, expected: String },
}

impl Fault {
    pub(super) fn of_row(self, row: usize) -> VectorError {
        match self {
            Self::Illegal(error) => VectorError::Illegal { row, error },
            Self::NoAction { found, expected } => VectorError::NoAction { row, found, expected },
        }
    }
}

/// Who plays a seat inside a step.
enum Seat<G: Game> {
    Caller,
    Random,
    Agent(Session<G>),
}

impl<G: Game> Seat<G> {
    fn new(spec: Option<&AgentSpec>) -> Self {
        match spec {
            None => Self::Caller,
            Some(spec) if spec.kind() == AgentKind::Random => Self::Random,
            Some(spec) => Self::Agent(Session::new(spec.clone())),
        }
    }
}

/// One game after another.
#[allow(clippy::struct_excessive_bools)] // Each says something of its own.
pub(super) struct Row<G: Game> {
    pub(super) played: Match<G>,
    /// Of the row, from which those of its games follow.
    seed: u64,
    episode: u64,
    is_finished: bool,
    /// Whether the game that is played began at a start of its own: the next one does not.
    has_own_start: bool,
    seats: Vec<Seat<G>>,
    pending: Pending<G::Action>,
    /// Whether flags, rewards and final arrays tell of an end, and whether seed and episode are another game's.
    tells_end: bool,
    is_new: bool,
    /// What was drawn for this position: it is not checked again.
    drawn: Option<G::Action>,
    observation: Option<G::Observation>,
    /// Features written in the row of the observations, and of the final ones; ids set in the mask.
    set: Vec<u32>,
    final_set: Vec<u32>,
    masked: Vec<u32>,
    /// What [`super::Vector::sparse`] collects.
    pub(super) features: Features,
    pub(super) legal: Vec<u32>,
}

impl<G: Game> std::fmt::Debug for Row<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Row").field("played", &self.played).field("episode", &self.episode).finish_non_exhaustive()
    }
}

/// A copy has written nothing yet. Agents begin without what they kept of their last search.
impl<G: Game> Clone for Row<G> {
    fn clone(&self) -> Self {
        let seats = self.seats.iter().map(|seat| match seat {
            Seat::Caller => Seat::Caller,
            Seat::Random => Seat::Random,
            Seat::Agent(session) => Seat::Agent(Session::new(session.spec().clone())),
        });
        Self {
            played: self.played.clone(),
            seats: seats.collect(),
            observation: None,
            set: Vec::new(),
            final_set: Vec::new(),
            masked: Vec::new(),
            drawn: None,
            features: Features::default(),
            legal: Vec::new(),
            ..*self
        }
    }
}

/// Writes the features of an observation.
struct Seen<'a, G: Game>(&'a G, &'a G::Observation);

impl<G: Game> WriteFeatures for Seen<'_, G> {
    #[inline]
    fn write(&self, sink: &mut impl FeatureSink) {
        self.0.features(self.1, sink);
    }
}

fn no_rewards<G: Game>(game: &G) -> ByPlayer<f32> {
    std::iter::repeat_n(0.0, game.num_players()).collect()
}

impl<G: Game> Row<G> {
    pub(super) fn new(game: &Arc<G>, seed: u64, agents: &[Option<AgentSpec>]) -> Self {
        let seats = agents.iter().map(|spec| Seat::new(spec.as_ref())).collect();
        let first = Match::new(Arc::clone(game), derive_seed(seed, "episode", 0));
        Self { seed, seats, has_own_start: false, ..Self::of_match(first) }
    }

    /// A match as it stands.
    pub(super) fn of_match(played: Match<G>) -> Self {
        Self {
            is_finished: played.is_terminal(),
            seed: played.seed(),
            played,
            episode: 0,
            has_own_start: true,
            seats: Vec::new(),
            pending: Pending::Wait,
            tells_end: true,
            is_new: true,
            drawn: None,
            observation: None,
            set: Vec::new(),
            final_set: Vec::new(),
            masked: Vec::new(),
            features: Features::default(),
            legal: Vec::new(),
        }
    }

    // ---- Looking ----------------------------------------------------------------------------------------------------------

    /// Legal ids; none when finished.
    pub(super) fn legal_ids(&mut self) -> &[u32] {
        if self.is_finished { &[] } else { self.played.list_legal_ids() }
    }

    pub(super) fn sample(&mut self, rng: &mut Rng) -> i64 {
        if self.is_finished {
            return -1;
        }
        match self.played.listed_ids() {
            Some(ids) => i64::from(ids[rng.below(ids.len() as u32) as usize]),
            None => {
                let (game, state) = (self.played.game(), self.played.state());
                let action = game.sample_action(state, rng, &mut Vec::new());
                self.drawn = Some(action);
                i64::from(self.played.game().action_id(action))
            }
        }
    }

    /// Writes what the seat perceives over the last observation.
    fn observe(&mut self, player: Player) {
        let (game, state) = (self.played.game(), self.played.state());
        match &mut self.observation {
            Some(observation) => game.observe_into(state, player, observation),
            None => self.observation = Some(game.observation(state, player)),
        }
    }

    /// The seat to move; `None` when finished.
    fn player(&self) -> Option<Player> {
        if self.is_finished { None } else { self.played.turn().player() }
    }

    /// Lists features and legal ids.
    pub(super) fn collect(&mut self, with_observations: bool) {
        self.features.clear();
        if let Some(player) = self.player().filter(|_| with_observations) {
            self.observe(player);
            if let Some(observation) = &self.observation {
                let game = self.played.game();
                Board::with(game.observation_layout().size(), |board| {
                    game.features(observation, board);
                    board.take(&mut self.features);
                });
            }
        }
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        legal.extend_from_slice(self.legal_ids());
        self.legal = legal;
    }

    /// Takes the arrays as new: nothing of this row is in them.
    pub(super) fn forget_shown(&mut self, row: usize, arrays: &Arrays<'_>) {
        let layout = self.played.game().observation_layout();
        for observations in [arrays.observations, arrays.final_observations].into_iter().flatten() {
            observations.clear(row, layout);
        }
        self.set.clear();
        self.final_set.clear();
        self.masked.clear();
        (self.tells_end, self.is_new) = (false, true);
        let actions = self.played.game().num_actions();
        if let Some(mask) = arrays.action_mask {
            mask[row * actions..(row + 1) * actions].iter().for_each(|flag| flag.store(0, Relaxed));
        }
        arrays.set_flags(row, false, false);
        arrays.final_players[row].store(-1, Relaxed);
        let nothing = no_rewards(&**self.played.game());
        arrays.set_rewards(row, &nothing);
        arrays.set_scores(row, &self.played.game().scores(self.played.state()));
    }

    /// Writes the position.
    pub(super) fn show(&mut self, row: usize, arrays: Option<&Arrays<'_>>) {
        let Some(arrays) = arrays else { return };
        let player = self.player();
        arrays.players[row].store(player.map_or(-1, |player| player.0 as i8), Relaxed);
        arrays.ply[row].store(self.played.ply(), Relaxed);
        if self.is_new {
            arrays.seeds[row].store(self.played.seed(), Relaxed);
            arrays.episodes[row].store(self.episode, Relaxed);
            self.is_new = false;
        }
        if let Some(observations) = arrays.observations {
            if let Some(player) = player {
                self.observe(player);
            }
            let game = self.played.game();
            let seen = self.observation.as_ref().filter(|_| player.is_some()).map(|seen| Seen(&**game, seen));
            observations.write(row, game.observation_layout(), &mut self.set, seen.as_ref());
        }
        if let Some(mask) = arrays.action_mask {
            let actions = self.played.game().num_actions();
            let mask = &mask[row * actions..(row + 1) * actions];
            self.masked.iter().for_each(|&id| mask[id as usize].store(0, Relaxed));
            let mut masked = std::mem::take(&mut self.masked);
            masked.clear();
            masked.extend_from_slice(self.legal_ids());
            masked.iter().for_each(|&id| mask[id as usize].store(1, Relaxed));
            self.masked = masked;
        }
    }

    /// Writes how the game stands after the step, before the next one begins.
    fn show_end(&mut self, row: usize, end: Option<&End>, arrays: Option<&Arrays<'_>>) {
        let Some(arrays) = arrays else {
            self.tells_end = true;
            return;
        };
        arrays.set_scores(row, &self.played.game().scores(self.played.state()));
        if end.is_none() && !self.tells_end {
            return;
        }
        let game = Arc::clone(self.played.game());
        self.tells_end = end.is_some();
        let last = end.and_then(|end| end.last);
        arrays.set_flags(row, end.is_some_and(|end| !end.is_truncated), end.is_some_and(|end| end.is_truncated));
        arrays.final_players[row].store(last.map_or(-1, |player| player.0 as i8), Relaxed);
        match end {
            Some(end) => arrays.set_rewards(row, &end.rewards),
            None => arrays.set_rewards(row, &no_rewards(&*game)),
        }
        if let Some(observations) = arrays.final_observations {
            if let Some(last) = last {
                self.observe(last);
            }
            let seen = self.observation.as_ref().filter(|_| last.is_some()).map(|seen| Seen(&*game, seen));
            observations.write(row, game.observation_layout(), &mut self.final_set, seen.as_ref());
        }
    }

    // ---- Playing ----------------------------------------------------------------------------------------------------------

    /// Looks at the action of the next step; nothing changes but what the row will do.
    pub(super) fn check(&mut self, action: i64, config: &Config) -> Result<(), Fault> {
        if self.is_finished {
            self.pending = match config.autoreset {
                Autoreset::Disabled if action != -1 => {
                    let expected = "-1, as the game is over: reset the row".to_owned();
                    return Err(Fault::NoAction { found: action, expected });
                }
                Autoreset::Disabled => Pending::Wait,
                Autoreset::NextStep | Autoreset::SameStep => Pending::Begin,
            };
            return Ok(());
        }
        let game = self.played.game();
        let found = u32::try_from(action).ok().and_then(|id| game.action_from_id(id));
        let legal = match found {
            Some(found) if self.drawn == Some(found) => Ok(found),
            Some(found) => match self.played.check_step(Step::Action(found)) {
                Ok(()) => Ok(found),
                Err(error) => Err(Fault::Illegal(error)),
            },
            None => Err(Fault::NoAction { found: action, expected: format!("an action id from 0 to {}", game.num_actions() - 1) }),
        };
        self.pending = match (legal, config.on_illegal) {
            (Ok(found), _) => Pending::Play(found),
            (Err(_), OnIllegal::Lose) => Pending::Lose,
            (Err(fault), OnIllegal::Refuse) => return Err(fault),
        };
        Ok(())
    }

    /// Does what [`Row::check`] found and shows it.
    pub(super) fn step(
        &mut self,
        row: usize,
        config: &Config,
        arrays: Option<&Arrays<'_>>,
        interrupt: &Interrupt,
    ) -> Result<(), SearchError> {
        self.drawn = None;
        let end = match self.pending {
            Pending::Wait => {
                self.tells_end = true;
                if let Some(arrays) = arrays {
                    arrays.set_rewards(row, &no_rewards(&**self.played.game()));
                }
                return Ok(());
            }
            Pending::Begin => {
                self.begin_next(config, interrupt)?;
                None
            }
            Pending::Lose => {
                let culprit = self.played.turn().player();
                let seats = Player::all(self.played.game().num_players());
                let rewards = seats.map(|seat| if Some(seat) == culprit { -1.0 } else { 0.0 }).collect();
                Some(End { is_truncated: false, rewards, last: culprit })
            }
            Pending::Play(action) => {
                let mover = self.played.turn().player();
                self.played.play_checked(action);
                self.let_agents_play(config, interrupt)?;
                self.end(config, mover)
            }
        };
        self.show_end(row, end.as_ref(), arrays);
        if end.is_some() {
            self.is_finished = true;
            if config.autoreset == Autoreset::SameStep {
                self.begin_next(config, interrupt)?;
            }
        }
        self.show(row, arrays);
        Ok(())
    }

    /// How the game ended, if it did, after a decision of the caller for seat `last`.
    fn end(&self, config: &Config, last: Option<Player>) -> Option<End> {
        let game = self.played.game();
        if self.played.is_terminal() {
            return Some(End { is_truncated: false, rewards: game.returns(self.played.state()), last });
        }
        let is_cut = config.max_plies.is_some_and(|most| self.played.num_decisions() >= most);
        is_cut.then(|| End { is_truncated: true, rewards: no_rewards(&**game), last })
    }

    /// Plays the seats that have an agent up to a decision of the caller or the end.
    pub(super) fn let_agents_play(&mut self, config: &Config, interrupt: &Interrupt) -> Result<(), SearchError> {
        if self.seats.is_empty() {
            return Ok(());
        }
        while let Some(player) = self.played.turn().player() {
            if config.max_plies.is_some_and(|most| self.played.num_decisions() >= most) {
                return Ok(());
            }
            let seed = agent_seed(self.played.seed(), player, self.played.ply());
            let action = match &mut self.seats[player.index()] {
                Seat::Caller => return Ok(()),
                // What the agent does, without the list of actions and a report.
                Seat::Random => {
                    let mut rng = Rng::stream(seed, "random", 0);
                    self.played.game().sample_action(self.played.state(), &mut rng, &mut Vec::new())
                }
                Seat::Agent(session) => {
                    if interrupt.is_set() {
                        return Err(SearchError::Interrupted);
                    }
                    session.act(&self.played.information_state(player), seed, interrupt)?
                }
            };
            self.played.play_checked(action);
        }
        Ok(())
    }

    fn begin_next(&mut self, config: &Config, interrupt: &Interrupt) -> Result<(), SearchError> {
        self.begin(self.episode + 1, None, config, interrupt)
    }

    /// Begins a game. One that agents end before the caller has decided anything leaves the row finished.
    fn begin(&mut self, episode: u64, start: Option<Start>, config: &Config, interrupt: &Interrupt) -> Result<(), SearchError> {
        self.drawn = None;
        self.is_new = true;
        self.episode = episode;
        let seed = derive_seed(self.seed, "episode", episode);
        match start {
            Some(start) => {
                let game = Arc::clone(self.played.game());
                self.played = Match::from_start(game, start, seed).expect("a start that was looked at");
                self.has_own_start = true;
            }
            None if self.has_own_start => {
                self.played = Match::new(Arc::clone(self.played.game()), seed);
                self.has_own_start = false;
            }
            None => self.played.restart(seed),
        }
        for seat in &mut self.seats {
            if let Seat::Agent(session) = seat {
                session.clear();
            }
        }
        self.let_agents_play(config, interrupt)?;
        self.is_finished = self.end(config, None).is_some();
        Ok(())
    }

    /// Begins game 0 under a new seed of the row, or the next game, and shows it.
    pub(super) fn reset(
        &mut self,
        row: usize,
        seed: Option<u64>,
        start: Option<Start>,
        config: &Config,
        arrays: Option<&Arrays<'_>>,
        interrupt: &Interrupt,
    ) -> Result<(), SearchError> {
        let episode = match seed {
            Some(seed) => {
                self.seed = seed;
                0
            }
            None => self.episode + 1,
        };
        self.begin(episode, start, config, interrupt)?;
        self.show_end(row, None, arrays);
        self.show(row, arrays);
        Ok(())
    }
}
