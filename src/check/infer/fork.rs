//! A walk over another script's tree as part of this one: what the program is made of goes along and comes back.

use super::{Ctx, Dims};
use crate::diagnostic::Diagnostics;
use crate::syntax::ast::Script;

impl<'a, 'r> Ctx<'a, 'r> {
    /// A walk over `script` that goes on with this walk's program, with names and dimensions of its own. Nothing may
    /// be done with this walk until [`Ctx::rejoin`].
    pub(in crate::check) fn fork<'b, 's>(&mut self, script: &'b Script, sink: &'s mut Diagnostics) -> Ctx<'b, 's>
    where
        'a: 'b,
        'r: 's,
        'b: 's,
    {
        Ctx {
            script,
            sources: self.sources,
            settings: self.settings.clone(),
            request: self.request,
            builder: std::mem::take(&mut self.builder),
            ranges: std::mem::take(&mut self.ranges),
            defaults: std::mem::take(&mut self.defaults),
            possible: Vec::new(),
            suppressed: self.suppressed_for(script),
            unasked: std::mem::take(&mut self.unasked),
            scope: Default::default(),
            dims: Dims::new(),
            loads: std::mem::take(&mut self.loads),
            sink,
            outputs: Vec::new(),
            used: std::mem::take(&mut self.used),
            reported: std::mem::take(&mut self.reported),
            record: Default::default(),
            listed: Default::default(),
            calls: std::mem::take(&mut self.calls),
            equal: std::mem::take(&mut self.equal),
            silence: self.silence,
            declared: Default::default(),
            uses: None,
        }
    }

    /// Takes back what a fork took along.
    pub(in crate::check) fn rejoin(&mut self, fork: Ctx) {
        let Ctx {
            builder,
            ranges,
            defaults,
            mut possible,
            suppressed,
            unasked,
            loads,
            used,
            reported,
            calls,
            equal,
            silence,
            ..
        } = fork;
        (self.builder, self.ranges, self.loads, self.used) = (builder, ranges, loads, used);
        self.silence = silence;
        self.possible.append(&mut possible);
        (self.suppressed, self.unasked, self.defaults) = (suppressed, unasked, defaults);
        (self.reported, self.calls, self.equal) = (reported, calls, equal);
    }
}
