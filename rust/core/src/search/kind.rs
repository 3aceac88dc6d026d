//! Kinds of agents.

/// The kind of an agent, or a level. A level stands for a spec that depends on the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgentKind {
    /// Plays every legal action with equal probability.
    Random,
    /// Plays for the best position at the end of its own turn, by [`crate::contract::Judgement::evaluate`].
    Greedy,
    /// Monte Carlo without a tree: every legal action gets the same number of simulations.
    Flat,
    /// Tree search on complete positions. With hidden information it averages over sampled worlds.
    Mcts,
    /// Tree search on information states. Every simulation samples its own world.
    Ismcts,
    /// Exact values, for small positions.
    Expectimax,
    /// The easiest level for people.
    Novice,
    /// The second level.
    Amateur,
    /// The third level.
    Expert,
    /// The hardest level.
    Master,
}

impl AgentKind {
    /// All kinds, levels last.
    pub const ALL: [Self; 10] = [
        Self::Random,
        Self::Greedy,
        Self::Flat,
        Self::Mcts,
        Self::Ismcts,
        Self::Expectimax,
        Self::Novice,
        Self::Amateur,
        Self::Expert,
        Self::Master,
    ];

    /// Its name in a spec.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Flat => "flat",
            Self::Mcts => "mcts",
            Self::Ismcts => "ismcts",
            Self::Expectimax => "expectimax",
            Self::Novice => "novice",
            Self::Amateur => "amateur",
            Self::Expert => "expert",
            Self::Master => "master",
        }
    }

    /// One line that says what it does.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Random => "plays any legal action",
            Self::Greedy => "looks for the best position at the end of its own turn",
            Self::Flat => "tries every action equally often and plays on at random",
            Self::Mcts => "tree search; averages over sampled worlds where something is hidden",
            Self::Ismcts => "tree search over what the seat can tell apart; a new world for every simulation",
            Self::Expectimax => "exact values, for positions near the end",
            Self::Novice => "a level for people: makes mistakes",
            Self::Amateur => "a level for people: looks one turn ahead",
            Self::Expert => "a level for people: searches briefly",
            Self::Master => "a level for people: searches as long as a person would think",
        }
    }

    /// The number of its level, from 0 for the easiest. `None` if it is no level.
    #[must_use]
    pub const fn level(self) -> Option<usize> {
        match self {
            Self::Novice => Some(0),
            Self::Amateur => Some(1),
            Self::Expert => Some(2),
            Self::Master => Some(3),
            _ => None,
        }
    }
}
