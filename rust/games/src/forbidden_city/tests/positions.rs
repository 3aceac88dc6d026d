//! Positions (FC-4.3 to FC-4.5) and states from JSON: what is refused.
