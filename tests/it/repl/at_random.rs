//! Random sessions: inputs that fail or are interrupted leave no trace, so a session is what its valid inputs make.

use arrlang::check::closure::CapturedValue;
use arrlang::check::env::SessionValue;
use arrlang::check::value::Value;
use arrlang::diagnostic::Outcome;
use arrlang::exec;
use arrlang::session::{Input, Session};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Sessions, unless `ARR_RANDOM_SESSIONS` says how many.
const SESSIONS: u64 = 200;
/// Inputs of each.
const INPUTS: usize = 25;

/// A small generator of random numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % count
    }

    fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }
}

const NAMES: [&str; 4] = ["a", "b", "energy", "λ"];

/// What every session begins with, so that most names are there.
const PRELUDE: &str = "let a = [1, 2, 3]\nlet b = 2.5\nvar energy = [1.5f32, 2, 3]\nlet λ = 3\nfn f(x, y=1) = x + y * a\n\
                       fn g(x, y=b) = x * y\na";

impl Random {
    fn atom(&mut self) -> String {
        let result = format!("_{}", 1 + self.below(INPUTS));
        match self.below(24) {
            0..4 => self.of(&["1", "2.5", "3", "-7", "2**70", "0.1"]).to_owned(),
            4..8 => self.of(&["3u8", "200i16", "1.5f32", "0.1f16", "7i64", "2.5bf16", "true", "2j"]).to_owned(),
            8..11 => self.of(&["[1, 2, 3]", "[1.5f32, nan, -0.0]", "[3u8, 2, 1]", "zeros((3,))"]).to_owned(),
            11..15 => "_".to_owned(),
            15 => result,
            16 => self.of(&["[]", "1e400", "[[1u8, 2], [3, 4]]"]).to_owned(),
            17 => {
                let name = self.of(&NAMES);
                format!("{name}[{name} > 1].{}", self.of(&["size", "shape[0]"]))
            }
            _ => self.of(&NAMES).to_owned(),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let mut inner = || self.expression(depth - 1);
        let (x, y) = (inner(), inner());
        match self.below(6) {
            0 => format!("{}({x})", self.of(&["sum", "f", "g", "f32", "mean", "f64", "abs"])),
            1 => format!("{}({x}, {y})", self.of(&["maximum", "minimum", "f", "g"])),
            2 => format!("{x}[{}]", self.of(&["0", "-1", "1:", "None"])),
            _ => format!("({x} {} {y})", self.of(&["+", "*", "-", "+", "/", "<", "=="])),
        }
    }

    fn statement(&mut self) -> String {
        let depth = 1 + self.below(2);
        let value = self.expression(depth);
        let name = self.of(&NAMES);
        match self.below(12) {
            0..3 => format!("let {name} = {value}"),
            3 => format!("var {name} = {value}"),
            4 => format!("{name} {} {value}", self.of(&["=", "+=", "*="])),
            5 => format!("fn {}(x, y=2) = x {} {value}", self.of(&["f", "g"]), self.of(&["+", "*"])),
            6 => format!("let (a, b) = ({value}, {})", self.atom()),
            7 => {
                let system = self.of(&["jax", "numpy", "torch", "tf-numpy"]);
                format!("promotion {system} {}", self.of(&["all", "all", "all", "safe"]))
            }
            _ => value,
        }
    }

    /// An input, of which about a third cannot be valid.
    fn input(&mut self) -> String {
        let count = 1 + self.below(4) / 2;
        let mut lines: Vec<String> = (0..count).map(|_| self.statement()).collect();
        let broken = ["let a = (1 +", "nope_here", "[1, 2] + [1, 2, 3]", "let b = load(\"none.npy\")", "1 +* 2"];
        let at_run = ["[1, 2][sum([5])]", "assert sum([1]) > 2", "max(zeros((0,)))", "promotion nowhere", "f32 = 3"];
        match self.below(6) {
            0 => lines.push(self.of(&broken).to_owned()),
            1 => lines.push(self.of(&at_run).to_owned()),
            _ => {}
        }
        lines.join("\n")
    }
}

/// A session with the count of inputs that worked, as the shell has it.
#[derive(Default)]
struct Shell {
    session: Session,
    count: usize,
}

impl Shell {
    /// How an input ended.
    fn input(&mut self, text: &str, options: exec::Options) -> Outcome {
        let number = self.count + 1;
        let name = format!("<repl:{number}>");
        let reply = self.session.evaluate(&Input { options, result: Some(number), ..Input::new(&name, text) });
        self.count += usize::from(reply.outcome.is_done());
        reply.outcome
    }

    /// Everything that later inputs can see.
    fn seen(&self) -> Vec<String> {
        let env = &self.session.env;
        let names = env.names().into_iter().map(|name| {
            let (value, span) = env.get(name).expect("it is listed");
            let source = self.session.sources.get(span.source);
            let place = (&source.name, span.range(), env.is_variable(name));
            format!("{name}: {} {place:?}", bits(value, &self.session, 0))
        });
        let settings = &self.session.settings;
        let rules = format!(
            "{} {} {:?} {} {:?} {:?}",
            settings.system.name,
            settings.mode.name(),
            settings.width,
            settings.checked,
            settings.levels,
            settings.fixed
        );
        names.chain([rules, self.count.to_string()]).collect()
    }
}

/// A value with its type, bit by bit.
fn bits(value: &SessionValue, session: &Session, depth: usize) -> String {
    assert!(depth < 100, "functions do not lead back to themselves");
    match value {
        SessionValue::Array(array, elem, span) => {
            let elements: Vec<u128> = array.scalars().map(|scalar| scalar.bits).collect();
            let origin = session.sources.text(*span);
            format!("{elem} {} {:?} {elements:x?} from {origin:?}", array.dtype(), array.shape())
        }
        SessionValue::Const(value) => format!("{value:?}"),
        SessionValue::Tuple(items) => items.iter().map(|item| format!("({})", bits(item, session, depth))).collect(),
        SessionValue::Function(closure) => {
            let captured = closure.captures().iter().map(|(name, captured)| match captured {
                CapturedValue::Kept(value) => format!("{name} = {}", bits(value, session, depth + 1)),
                CapturedValue::Live(value) => format!("{name} = {}", value.describe()),
            });
            format!("{} {:?}", closure.signature(&session.sources), captured.collect::<Vec<_>>())
        }
        SessionValue::Other(Value::Literal(literal)) => format!("{literal:?}"),
        SessionValue::Other(other) => other.describe().to_owned(),
    }
}

#[test]
fn what_fails_or_is_interrupted_leaves_no_trace() {
    let told = std::env::var("ARR_RANDOM_SESSIONS").ok().and_then(|text| text.parse().ok());
    let (mut valid, mut broken, mut stopped) = (0, 0, 0);
    for seed in 1..=told.unwrap_or(SESSIONS) {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut shell = Shell::default();
        let mut worked = vec![PRELUDE.to_owned()];
        assert_eq!(shell.input(PRELUDE, exec::Options::default()), Outcome::Done);
        for _ in 0..INPUTS {
            let text = random.input();
            // One in eight is interrupted before it begins, or while something long runs behind it.
            let flag = AtomicBool::new(false);
            let options = exec::Options { interrupt: Some(&flag), ..exec::Options::default() };
            let before = shell.seen();
            let outcome = match random.below(16) {
                0 => {
                    flag.store(true, Ordering::Relaxed);
                    shell.input(&text, options)
                }
                1 => {
                    let text = format!("{text}\nlet late = sum(sin(zeros((100000, 1)) + arange(1000000)))");
                    std::thread::scope(|scope| {
                        let wait = Duration::from_micros(random.below(3000) as u64);
                        let flag = &flag;
                        scope.spawn(move || {
                            std::thread::sleep(wait);
                            flag.store(true, Ordering::Relaxed);
                        });
                        shell.input(&text, options)
                    })
                }
                _ => shell.input(&text, options),
            };
            match outcome {
                Outcome::Done => {
                    valid += 1;
                    worked.push(text);
                }
                outcome => {
                    assert_ne!(outcome, Outcome::Broken, "{text}");
                    *if outcome == Outcome::Interrupted { &mut stopped } else { &mut broken } += 1;
                    assert_eq!(shell.seen(), before, "seed {seed}: {text}");
                }
            }
        }
        let mut fresh = Shell::default();
        for text in &worked {
            assert_eq!(fresh.input(text, exec::Options::default()), Outcome::Done, "seed {seed}: {text}");
        }
        assert_eq!(fresh.seen(), shell.seen(), "seed {seed}: {worked:#?}");
    }
    println!("{valid} valid inputs, {broken} broken, {stopped} interrupted");
    assert!(valid > 1000 && broken > 1000 && stopped > 100, "{valid} valid, {broken} broken, {stopped} interrupted");
}
