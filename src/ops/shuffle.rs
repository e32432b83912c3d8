//! Random orders. Lines are put in the order of random bits, again and again until no two elements are likely to have
//! had the same bits each time, as JAX does it.

use super::distributions::Distribution;
use super::draws::{RandomRange, unsigned};
use super::expand::Expand;
use super::threefry::RandomKey;
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// From how many elements on they are put in order once, twice, three times. More are not told apart.
const ROUNDS: [u64; 4] = [2, 1626, 2_642_246, 1 << 32];

/// A round of putting elements in order.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// What its bits are drawn from.
    pub key: RandomKey,
    /// Whether there are enough elements for it, where their number is not known yet.
    pub enough: Option<NodeId>,
}

impl Expand<'_> {
    /// The rounds that `count` elements are sorted in.
    pub fn rounds(&mut self, mut key: RandomKey, count: &Dim) -> Vec<Round> {
        let known = count.known();
        let asked = ROUNDS.iter().filter(|&&least| known.is_none_or(|count| count >= least));
        let mut rounds = Vec::new();
        for &least in asked {
            let (next, own) = self.split_key(key);
            key = next;
            let enough = known.is_none().then(|| {
                let (count, least) = (self.dim(count), self.whole(least as i64));
                self.prim(Prim::Le, &[least, count])
            });
            rounds.push(Round { key: own, enough });
        }
        rounds
    }

    /// The positions of lines in the order of their bits; in their own where the round is one too many.
    pub fn order_of(&mut self, bits: NodeId, round: Round) -> NodeId {
        let bits = match round.enough {
            Some(enough) => {
                let same = self.integer(DType::U32, 0);
                self.select(enough, bits, same)
            }
            None => bits,
        };
        self.order(bits)
    }

    /// The numbers below a length in random order.
    pub fn random_order(&mut self, key: RandomKey, len: &Dim) -> NodeId {
        let shape = vec![len.clone()];
        let mut order = None;
        for round in self.rounds(key, len) {
            let bits = self.random_bits(round.key, DType::U32, &shape);
            let next = self.order_of(bits, round);
            order = Some(match order {
                Some(before) => self.at(before, next),
                None => next,
            });
        }
        order.unwrap_or_else(|| self.0.iota(0, shape))
    }

    /// Where even numbers fall among the sums of probabilities: as many as the numbers.
    pub fn random_places(&mut self, key: RandomKey, p: NodeId, shape: &Shape, count: Dim) -> NodeId {
        let dtype = self.dtype(p);
        let wide = self.widen(p);
        let sums = self.0.scan(Fold::Sum, wide, 0);
        let sums = self.convert(sums, dtype);
        let sums = self.widen(sums);
        let (len, one) = (self.line(sums), self.whole(1));
        let len = self.dim(&len);
        let last = self.prim(Prim::Sub, &[len, one]);
        let last = self.at(sums, last);
        let even = self.unit_uniform(key, dtype, shape);
        let even = self.widen(even);
        let one = self.number(even, 1.0);
        let rest = self.sub(one, even);
        let rest = self.rounded_to(rest, dtype);
        let rest = self.mul(last, rest);
        let rest = self.rounded_to(rest, dtype);
        let line = self.broadcast(rest, shape);
        let line = self.view(line, View::Reshape, vec![count]);
        let found = self.routine(Routine::SearchLeft, &[sums, line], None);
        self.view(found, View::Reshape, shape.clone())
    }

    /// The positions of probabilities in the order in which they are drawn, each once.
    pub fn weighted_order(&mut self, key: RandomKey, p: NodeId, len: &Dim) -> NodeId {
        let dtype = self.dtype(p);
        let noise = self.draw_from(key, Distribution::Gumbel, dtype, &vec![len.clone()]);
        let (noise, wide) = (self.widen(noise), self.widen(p));
        let log = self.log_of_weight(wide);
        let log = self.rounded_to(log, dtype);
        let sum = self.add(noise, log);
        let sum = self.rounded_to(sum, dtype);
        let least_first = self.neg(sum);
        self.order(least_first)
    }

    /// Numbers from 0 on and below a count, an `i64`; 0 where it is none.
    pub fn random_below(&mut self, key: RandomKey, drawn: DType, shape: &Shape, count: NodeId) -> NodeId {
        let one = self.whole(1);
        let count = self.prim(Prim::Max, &[count, one]);
        let count = self.convert(count, unsigned(drawn));
        let low = self.integer(drawn, 0);
        self.random_integers(key, shape, RandomRange { low, count, whole: false })
    }
}
