//! One test for each kind of illegality: the rule and the reason.
