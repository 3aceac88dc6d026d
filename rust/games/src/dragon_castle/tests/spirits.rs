//! The worked examples with spirits: DC-11.11 to DC-11.18 and DC-11.21 to DC-11.23.

use forbidden_games_core::contract::Data;
use serde_json::json;

use super::{Position, Table};

#[test]
fn dc_11_11_two_sets() {
    let start = |pools| {
        let position = Position {
            castle: "e4=1m4 f4=1q4",
            realms: &["m1 m2 m3 . q1 q2/ . . . . . q3"],
            pools,
            spirits: &["deception"],
            ..Position::default()
        };
        let mut table = position.start();
        table.play("take e4, spirit deception shrine").expect_legal("pair f4");
        table.play("pair f4, place a2, place e2");
        table
    };
    let mut table = start(&[3, 1]);
    table.expect_legal("consolidate a1, consolidate e1");
    table.play("consolidate e1");
    assert_eq!((table.vp(0), table.turn("builds"), table.turn("pending")), (2, json!(2), json!([["a1", "b1", "c1", "a2"]])));
    table.play("build e1").expect_legal("build f1, build e2, build f2, done");
    table.play("done");
    assert_eq!((table.vp(0), table.phase(), table.turn("builds")), (4, "build", json!(1)));
    let poor = start(&[1, 1]);
    assert_eq!((poor.seat(), poor.vp(0)), (Some(1), 4));
}

#[test]
fn dc_11_12_elegance() {
    let position = Position {
        castle: "d4=2m1 e4=2m2 f4=2m3 g4=1m2 h4=1s1 i4=1m2 h5=1m2",
        covered: "q1 3",
        spirits: &["elegance"],
        ..Position::default()
    };
    let mut table = position.start();
    table.expect_legal("take d4, take f4, spirit elegance shrine");
    table.play("spirit elegance shrine").expect_legal("take e4");
    assert!(table.refusal("take d4").starts_with("DC-5.23"));
    table.play("take e4, q1").expect_legal("pair g4, pair i4, pair h5, shrine, discard");
    assert_eq!(table.turn("elegance"), json!(true));

    let second = Position { castle: "e4=1m2 f4=1m1 g4=1m2 h4=1m3", spirits: &["elegance"], ..Position::default() };
    let mut table = second.start();
    table.play("take e4").expect_legal("shrine, discard, spirit elegance shrine");
    table.play("spirit elegance shrine").expect_legal("pair g4");
    assert!(table.refusal("discard").starts_with("DC-5.18"));
}

#[test]
fn dc_11_13_deception_kinship_stair() {
    let deception = Position {
        castle: "e4=2m1 f4=2s1 e3=2m1 e5=1q1 d4=1q2",
        covered: "q3 3",
        spirits: &["deception", "kinship"],
        ..Position::default()
    };
    let mut table = deception.start();
    table.play("take e4, q3").expect_legal("pair e3, shrine, discard, spirit deception shrine");
    table.play("spirit deception shrine").expect_legal("pair f4");
    assert!(table.refusal("pair e3").starts_with("DC-5.24"));

    let kinship = Position { castle: "e4=1m1 f4=1m2 g4=1s1 h4=1m3 i4=1m1", spirits: &["kinship"], ..Position::default() };
    let mut table = kinship.start();
    table.play("take e4").expect_legal("pair i4, shrine, discard, spirit kinship shrine");
    table.play("spirit kinship shrine").expect_legal("pair f4");

    let stair = Position { castle: "e4=2m1 f4=1s1 h4=1s2", covered: "q1 1", spirits: &["stair"], ..Position::default() };
    let mut table = stair.start();
    table.expect_legal("take e4, spirit stair shrine");
    table.play("spirit stair shrine").expect_legal("take f4, take h4");
}

#[test]
fn dc_11_14_wind() {
    let mut table = Position { castle: "e4=1m1", realms: &["#^ m2 . . . ."], spirits: &["wind"], ..Position::default() }.start();
    table.expect_legal("take e4, summon, spirit wind shrine");
    table.play("spirit wind shrine").expect_legal("flip b1");
    assert!(table.refusal("pass").starts_with("DC-5.21"));
    table.play("flip b1").expect_legal("from a1");
    table.play("from a1").expect_legal("to b1");
    table.play("to b1").expect_legal("take e4, summon");

    let second =
        Position { castle: "e4=1m1", realms: &["#^ m2/2 #3 . . ."], pools: &[0, 2], spirits: &["wind"], ..Position::default() };
    let mut table = second.start();
    table.expect_legal("take e4, summon, spirit wind tile b1");
    table.play("spirit wind tile b1");
    assert_eq!(table.phase(), "wind_from");
    table.play("from a1").expect_legal("to b1, to c1");
}

#[test]
fn dc_11_15_strength() {
    let position = Position { castle: "e4=1m4", realms: &["m1 m2 . m3 # #2^"], spirits: &["strength"], ..Position::default() };
    let mut table = position.start();
    let uses = ["spirit strength tile a1", "spirit strength tile b1", "spirit strength tile d1", "spirit strength shrine"];
    assert_eq!(table.spirit_actions(), uses);
    table.play("spirit strength shrine").expect_legal("lift a1, lift b1, lift d1, lift e1");
    table.play("lift e1, drop c1").expect_legal("lift a1, lift b1, lift d1, pass");
    table.play("lift d1, drop c1");
    assert_eq!((table.json()["realms"][0][0][2].clone(), table.phase()), (json!([2, "m3", 0]), "turn"));
}

const CHANGE: &str = "m1 q1 m2 m3 . ./ . q2 . . . ./ . q3 . . . .";

#[test]
fn dc_11_16_change() {
    let mut table = Position { castle: "e4=1m4", realms: &[CHANGE], spirits: &["change"], ..Position::default() }.start();
    assert_eq!(table.spirit_actions(), ["spirit change tile b2", "spirit change tile b3", "spirit change shrine"]);
    table.play("spirit change shrine").expect_legal("wild b1 m");
    assert!(table.refusal("wild b2 m").starts_with("DC-5.25"));
    table.play("wild b1 m");
    assert_eq!((table.vp(0), table.json()["pools"][0].clone(), table.phase()), (2, json!(0), "turn"));

    let second = Position { castle: "e4=1q4", realms: &[CHANGE], pools: &[2, 1], spirits: &["change"], ..Position::default() };
    let mut table = second.start();
    table.play("take e4, shrine, place b4");
    assert_eq!(table.phase(), "settle");
    assert_eq!(table.spirit_actions(), ["spirit change tile b2", "spirit change tile b3", "spirit change tile b4"]);
    table.play("spirit change tile b3, wild b1 m");
    assert_eq!((table.vp(0), table.phase()), (2, "build"));
    assert_eq!((table.turn("resume"), table.turn("pending")), (json!("end"), json!([])));
}

#[test]
fn dc_11_17_beauty() {
    let position = Position {
        castle: "e4=1m1",
        realms: &["m1 s1 f1 . . ./ . m2 m3 m4 . ."],
        pools: &[4, 1],
        spirits: &["beauty"],
        ..Position::default()
    };
    let mut table = position.start();
    table.play("take e4, shrine, place a2");
    assert_eq!(table.phase(), "settle");
    let uses = ["spirit beauty tile b2", "spirit beauty tile c2", "spirit beauty tile d2", "spirit beauty shrine"];
    assert_eq!(table.spirit_actions(), uses);
    table.play("spirit beauty shrine").expect_legal("set a1");
    table.play("set a1");
    assert_eq!((table.vp(0), table.turn("builds")), (3, json!(2)));
    table.play("build c1, build a2");
    assert_eq!(table.seat(), Some(1));
}

#[test]
fn dc_11_18_mason_and_mirror() {
    let mason =
        Position { castle: "e4=1m4", realms: &["m1 m2 m3 . . s1"], pools: &[2, 1], spirits: &["mason"], ..Position::default() };
    let mut table = mason.start();
    table.play("take e4, shrine, place d1");
    table.expect_legal("build a1, build b1, build c1, build d1, done, spirit mason tile f1, spirit mason shrine");
    let with_builds = |table: &Table, builds: u8| {
        let mut json = table.game.state_to_json(&table.state);
        json["turn"]["builds"] = builds.into();
        table.game.state_from_json(&json).map(drop).map_err(|error| error.to_string())
    };
    // DC-12.6: a type allows two shrines at most, and one more after `mason`.
    assert_eq!(with_builds(&table, 2), Ok(()));
    assert!(with_builds(&table, 3).unwrap_err().contains("DC-5.27"));
    table.play("spirit mason shrine").expect_legal("build a1, build b1, build c1");
    assert!(with_builds(&table, 4).unwrap_err().contains("DC-5.27"));
    assert!(table.refusal("done").starts_with("DC-5.27"));
    assert!(table.refusal("build d1").starts_with("DC-5.27"));
    table.play("build c1").expect_legal("build d1");

    let mirror =
        Position { castle: "e4=1m4", realms: &["m1 m2 s4 . . ./ s1 s2 m3 . . ."], spirits: &["mirror"], ..Position::default() };
    let mut table = mirror.start();
    table.play("spirit mirror shrine");
    assert_eq!(table.legal().len(), 9);
    table.play("swap c1 c2").expect_legal("take e4, summon");
    assert_eq!(table.phase(), "turn");
}

#[test]
fn dc_11_21_room_in_second() {
    const FULL: &str = "m1 m2 m3 s1 m4 s3/ s4 f4 s5 f5 s6 f6/ f1 s1 f2 s2 f3 s3/ s4 f4 s5 f5 s6 f6/ m1 f1 #^ f2 m3 q1";
    let position = Position { castle: "e4=1wE g4=1wE", realms: &[FULL], spirits: &["strength"], ..Position::default() };
    let mut table = position.start();
    table.play("take e4");
    assert_eq!((table.legal().len(), table.spirit_actions().len(), table.legal()[0].as_str()), (30, 29, "discard"));
    assert!(table.refusal("spirit strength shrine").starts_with("DC-5.22"));
    table.play("spirit strength tile d1");
    assert_eq!((table.turn("resume"), table.turn("hand"), table.legal().len()), (json!("second"), json!(["wE"]), 28));
    table.play("lift e1, drop d1, pass").expect_legal("build a1, build b1, build c1, build d1, done");
    assert_eq!((table.vp(0), table.phase()), (2, "build"));
    table.play("done").expect_legal("pair g4, shrine, discard");
    assert_eq!(table.phase(), "second");
    table.play("pair g4").expect_legal("place a1, place b1, place c1, place d1");

    const ONE_OPEN: &str = "m1 s1 m2 s2 m3 s3/ s4 m4 s5 m5 s6 m6/ f1 s1 f2 s2 f3 s3/ s4 f4 s5 f5 s6 f6/ m1 f1 #^ f2 m3 .";
    let position = Position { castle: "e4=1wE g4=1wE i4=1wS", realms: &[ONE_OPEN], spirits: &["strength"], ..Position::default() };
    let mut table = position.start();
    table.play("take e4, spirit strength tile a1, lift b1, drop a1, pass").expect_legal("pair g4, shrine, discard");
}

#[test]
fn dc_11_22_sets_in_second() {
    let position = Position {
        castle: "e4=2wE g4=1wE",
        covered: "q1 1",
        realms: &["m1 m2 m3 s1 . ./ s2 s3 s4 m4 . ."],
        pools: &[3, 1],
        spirits: &["mirror"],
        ..Position::default()
    };
    let mut table = position.start();
    table.play("take e4, q1, spirit mirror shrine, swap d1 d2").expect_legal("consolidate a1, consolidate a2");
    assert_eq!((table.turn("resume"), table.turn("first"), table.turn("hand")), (json!("second"), json!(["e4", 2]), json!(["wE"])));
    table.play("consolidate a1, build d1");
    assert_eq!((table.phase(), table.turn("set"), table.vp(0)), ("build", json!(["a2", "b2", "c2", "d2"]), 4));
    table.play("done").expect_legal("pair g4, shrine, discard");
    assert_eq!(table.phase(), "second");
}

#[test]
fn dc_11_23_settle_ends_in_end() {
    let position = Position {
        castle: "e4=1m4",
        realms: &["m1 m2 m3 . . ./ . . . . . ./ s1 . . . . f1"],
        spirits: &["strength", "mirror"],
        ..Position::default()
    };
    let mut table = position.start();
    table.play("take e4, shrine, place d1");
    assert_eq!(table.phase(), "settle");
    table.play("spirit strength shrine, lift a3, drop f5, pass");
    assert_eq!((table.vp(0), table.phase()), (2, "build"));
    table.play("done").expect_legal("spirit mirror shrine, pass");
    assert_eq!(table.phase(), "end");
    table.play("spirit mirror shrine, swap f3 f5");
    assert_eq!(table.seat(), Some(1));

    let change =
        Position { castle: "e4=1s4", realms: &["s1 s2 s3 . wE m1/ . . . . m2 m3"], spirits: &["change"], ..Position::default() };
    let mut table = change.start();
    table.play("take e4, shrine, place d1, spirit change shrine, wild e1 m");
    assert_eq!((table.vp(0), table.phase(), table.turn("resume")), (2, "build", json!("end")));
    assert_eq!(table.turn("pending"), json!([["a1", "b1", "c1", "d1"]]));
    table.play("done");
    assert_eq!((table.vp(0), table.phase()), (4, "build"));
    table.play("done");
    assert_eq!(table.seat(), Some(1));
}
