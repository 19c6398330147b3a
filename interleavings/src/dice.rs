//! Random numbers, the same for the same seed.

use std::time::Duration;

/// Draws numbers (`SplitMix64`).
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// The dice of one of those who draw beside each other.
    pub fn of(seed: u64, who: u64) -> Self {
        let mut dice = Self(seed ^ who.wrapping_mul(0xA076_1D64_78BD_642F));
        dice.draw();
        dice
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut drawn = self.0;
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        drawn ^ (drawn >> 31)
    }

    /// A number below this one; 0 where that is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.draw().checked_rem(end).unwrap_or(0)
    }

    /// Returns true in one of so many cases.
    pub fn one_in(&mut self, cases: u64) -> bool {
        self.below(cases) == 0
    }

    /// One of these.
    pub fn one_of<'t, T>(&mut self, these: &'t [T]) -> Option<&'t T> {
        these.get(usize::try_from(self.below(these.len() as u64)).unwrap_or(0))
    }

    /// A time of at most so long.
    pub fn time_within(&mut self, most: Duration) -> Duration {
        Duration::from_micros(self.below(u64::try_from(most.as_micros()).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn the_same_seed_draws_the_same_and_another_one_something_else() {
        let drawn = |seed, who| {
            let mut dice = Dice::of(seed, who);
            [0; 8].map(|_| dice.below(1_000_000))
        };
        assert_eq!(drawn(7, 1), drawn(7, 1));
        assert_ne!(drawn(7, 1), drawn(8, 1));
        assert_ne!(drawn(7, 1), drawn(7, 2));
    }
}
