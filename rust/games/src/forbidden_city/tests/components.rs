//! Component sets (FC-2).

use super::*;

#[test]
fn fc_2_5_sums_of_the_house_set() {
    let game = house(2);
    let sum = |count: &dyn Fn(&super::super::components::Kind) -> u32, players: usize| -> u32 {
        game.rules.components.kinds.iter().map(|kind| u32::from(kind.copies(players)) * count(kind)).sum()
    };
    use super::super::components::Edge;
    let edges = |wanted: Edge| move |kind: &super::super::components::Kind| kind.edges.iter().filter(|edge| **edge == wanted).count() as u32;
    let advisors = |kind: &super::super::components::Kind| kind.parts.iter().map(|part| u32::from(part.advisors)).sum();
    let dragons = |kind: &super::super::components::Kind| kind.parts.iter().map(|part| u32::from(part.dragons)).sum();
    let both = |count: &dyn Fn(&super::super::components::Kind) -> u32| (sum(count, 3), sum(count, 2));
    assert_eq!(game.num_outcomes(), 30);
    assert_eq!(both(&advisors), (30, 36));
    assert_eq!(both(&dragons), (3, 3));
    assert_eq!(both(&edges(Edge::Open)), (60, 72));
    assert_eq!(both(&edges(Edge::Wall)), (21, 24));
    assert_eq!(both(&edges(Edge::Arch)), (15, 24));
    assert_eq!(game.num_actions(), 6725);
}
