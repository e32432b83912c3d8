//! Functions and calls of them.

use super::write::{Name, Writer};

impl Writer<'_> {
    /// A function of two parameters with the calls that use it.
    pub(super) fn function(&mut self) -> String {
        let (number, x, y) = (self.number, self.name(), self.name());
        let outer = self.names.len();
        let parameter = |text: &str, of: &Name| Name { text: text.to_owned(), ..of.clone() };
        self.names.extend([parameter("b", &y), parameter("a", &x)]);
        let form = self.below(8);
        let body = self.body();
        let lines = match form {
            0 => {
                self.define("f");
                format!("fn f{number}(a, b) = {body}\n")
            }
            1 => {
                self.define("f");
                format!("fn f{number}(a, b={}) = {body}\n", self.literal())
            }
            2 => {
                self.define("f");
                let (symbol, other) = (self.one_of(&["+", "-", "*", "&", "//"]), self.literal());
                format!("fn f{number}(a, b) {{\n  let t = {body}\n  var u = t\n  u {symbol}= {other}\n  u\n}}\n")
            }
            3 => {
                self.names.drain(outer..);
                return format!(
                    "fn g{number}(a, b) = ({body}, a)\nlet (l{number}, h{number}) = g{number}({}, {})\n\
                     output v{number} = l{number}\noutput w{number} = h{number}\n",
                    x.text, y.text
                );
            }
            4 => {
                let symbol = self.infix();
                self.define("f");
                format!(
                    "fn e{number}(a, b=1) = {body}\nfn f{number}(a, b) = e{number}(e{number}(a), b) {symbol} e{number}(b)\n"
                )
            }
            5 => {
                self.names.drain(outer..);
                return format!(
                    "fn f{number}(a) = a {} {}\nfn apply{number}(f, a) = f(f(a))\noutput v{number} = apply{number}(f{number}, {})\n",
                    self.infix(),
                    self.literal(),
                    x.text
                );
            }
            6 => {
                let dims: Vec<String> = (0..x.shape.len()).map(|axis| format!("n{axis}")).collect();
                let dims = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
                let size = if x.shape.is_empty() { "2" } else { "n0" };
                let symbol = self.one_of(&["+", "*", "//", "/"]);
                self.names.drain(outer..);
                return format!(
                    "fn g{number}(a: _{dims}, b=2) -> _{dims} = a {symbol} {size}\noutput v{number} = g{number}({})\n",
                    x.text
                );
            }
            _ => {
                self.define("f");
                format!("## Of two values.\nfn f{number}(a, b) {{\n  let t = {body}\n  let a = t\n  a\n}}\n")
            }
        };
        self.names.drain(outer..);
        let call = match self.below(5) {
            0 => format!("f{number}({}, {})", x.text, y.text),
            1 => format!("f{number}(b={}, a={})", y.text, x.text),
            2 => format!("{}.f{number}({})", x.text, y.text),
            3 => format!("f{number}({}, b={})", x.text, y.text),
            _ => format!("f{number}(f{number}({0}, {1}), {1})", x.text, y.text),
        };
        format!("{lines}output v{number} = {call}\n")
    }

    /// What a function gives; more often than not an operator on both parameters.
    fn body(&mut self) -> String {
        if self.below(5) > 1 { format!("a {} b", self.infix()) } else { self.expression() }
    }

    fn define(&mut self, letter: &str) {
        self.defined.push(format!("{letter}{}", self.number));
    }
}
