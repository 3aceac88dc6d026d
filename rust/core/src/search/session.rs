//! One seat's agent through a match. It keeps the search tree from one decision to the next.

use crate::contract::Game;
use crate::history::History;
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::search::evaluator::Evaluator;
use crate::search::report::Report;
use crate::search::spec::AgentSpec;
use crate::search::tree::Tree;
use crate::search::{Prepared, SearchError};

/// One seat's searches in one match. With `reuse=true` a search starts from the subtree of the last tree that the steps since then
/// lead to. That needs a history ([`InformationState::history`]). Without one, and when the match has left the tree, the search
/// starts from an empty tree. Reports then depend on the searches before.
#[derive(Debug)]
pub struct Session<G: Game> {
    spec: AgentSpec,
    trees: Vec<Tree>,
    /// The history and the seat of the last search.
    history: History,
    seat: Option<crate::player::Player>,
    game: std::marker::PhantomData<G>,
}

impl<G: Game> Session<G> {
    /// A session without a tree.
    #[must_use]
    pub fn new(spec: AgentSpec) -> Self {
        Self { spec, trees: Vec::new(), history: History::new(), seat: None, game: std::marker::PhantomData }
    }

    /// The agent.
    #[must_use]
    pub const fn spec(&self) -> &AgentSpec {
        &self.spec
    }

    /// Drops the trees.
    pub fn clear(&mut self) {
        self.trees.clear();
        self.seat = None;
    }

    /// Searches as [`crate::search::search`] does.
    ///
    /// # Errors
    /// As [`crate::search::search`].
    pub fn search(
        &mut self,
        info: &InformationState<G>,
        seed: u64,
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Report, SearchError> {
        let prepared = Prepared::new::<G>(&self.spec, info.game.num_players(), evaluator.is_some())?;
        let reuses_trees = prepared.settings.reuse;
        let mut kept = std::mem::take(&mut self.trees);
        let since = info
            .history
            .strip_prefix(&self.history[..])
            .filter(|since| !since.is_empty() && !self.history.is_empty() && self.seat == Some(info.player()));
        kept = match since {
            Some(since) if reuses_trees => {
                let keys: Vec<u64> = since.iter().map(|seen| seen.0).collect();
                kept.into_iter().filter_map(|tree| tree.into_subtree(&keys)).collect()
            }
            _ => Vec::new(),
        };
        self.clear();
        let mut reports = prepared.search(std::slice::from_ref(info), &[seed], evaluator, &mut kept, interrupt)?;
        if reuses_trees {
            self.trees = kept;
            self.history.clone_from(&info.history);
            self.seat = Some(info.player());
        }
        Ok(reports.remove(0))
    }
}
