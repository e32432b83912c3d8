//! The kinds of tokens, a row each. A row has a name and a spelling.
//!
//! A token is a kind and two offsets; what it says is the text between them, so lexing allocates nothing per token.
//! Kinds without a fixed spelling (names, literals) come after the table. `input`, `repeat`, … are lexed as names:
//! [`super::layout`] turns them into keywords where they begin something.

use logos::Logos;

macro_rules! tokens {
    ($($kind:ident $text:tt)*) => {
        /// What kind of token it is.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t]+")]
        pub(crate) enum Tok {
            $(#[token($text)] $kind,)*
            #[token("true")]
            #[token("True")]
            True,
            #[token("false")]
            #[token("False")]
            False,
            #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
            Name,
            /// First characters of a number; `number::scan` finds the rest.
            #[regex(r"\.?[0-9]")]
            Digit,
            /// First character of a string.
            #[regex("[\"']")]
            Quote,
            /// First character of a comment.
            #[token("#")]
            Hash,
            #[regex("\r?\n")]
            LineEnd,
            Int,
            Float,
            Imaginary,
            Str,
            /// An operand that was reported already.
            Broken,
            /// A line end that ends a statement.
            Nl,
            Promotion,
            Input,
            Output,
            Repeat,
            Scan,
            Assert,
            Use,
            In,
            As,
            While,
            Along,
            Reverse,
            With,
        }

        impl Tok {
            /// How the token is written, for kinds with one spelling.
            pub(crate) fn notation(self) -> &'static str {
                match self {
                    $(Tok::$kind => $text,)*
                    Tok::True => "true",
                    Tok::False => "false",
                    Tok::Promotion => "promotion",
                    Tok::Input => "input",
                    Tok::Output => "output",
                    Tok::Repeat => "repeat",
                    Tok::Scan => "scan",
                    Tok::Assert => "assert",
                    Tok::Use => "use",
                    Tok::In => "in",
                    Tok::As => "as",
                    Tok::While => "while",
                    Tok::Along => "along",
                    Tok::Reverse => "reverse",
                    Tok::With => "with",
                    Tok::Name | Tok::Digit | Tok::Quote | Tok::Hash | Tok::LineEnd | Tok::Int | Tok::Float
                    | Tok::Imaginary | Tok::Str | Tok::Broken | Tok::Nl => "",
                }
            }
        }
    };
}

tokens! {
    Let "let" Fn "fn" Var "var" None "None" And "and" Or "or" Not "not"
    Plus "+" Minus "-" Star "*" Slash "/" SlashSlash "//" Percent "%" At "@" StarStar "**"
    Amp "&" Pipe "|" Caret "^" Shl "<<" Shr ">>" Tilde "~"
    EqEq "==" Ne "!=" Lt "<" Le "<=" Gt ">" Ge ">="
    Eq "=" PlusEq "+=" MinusEq "-=" StarEq "*=" SlashEq "/=" SlashSlashEq "//=" PercentEq "%=" StarStarEq "**="
    AmpEq "&=" PipeEq "|=" CaretEq "^=" ShlEq "<<=" ShrEq ">>="
    LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
    Comma "," Colon ":" Semi ";" Dot "." DotDot ".." Ellipsis "..." Arrow "->"
    AmpAmp "&&" PipePipe "||" Bang "!"
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
    /// The kind.
    pub(crate) tok: Tok,
    /// Whether it is the first token of its line.
    pub(crate) fresh: bool,
}

impl Token {
    /// The characters of the token.
    pub(crate) fn text(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }
}

impl Tok {
    /// The operator before the `=` of an assignment operator.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other token is an operator with `=`")]
    pub(crate) fn without_assignment(self) -> Option<Tok> {
        Some(match self {
            Tok::PlusEq => Tok::Plus,
            Tok::MinusEq => Tok::Minus,
            Tok::StarEq => Tok::Star,
            Tok::SlashEq => Tok::Slash,
            Tok::SlashSlashEq => Tok::SlashSlash,
            Tok::PercentEq => Tok::Percent,
            Tok::StarStarEq => Tok::StarStar,
            Tok::AmpEq => Tok::Amp,
            Tok::PipeEq => Tok::Pipe,
            Tok::CaretEq => Tok::Caret,
            Tok::ShlEq => Tok::Shl,
            Tok::ShrEq => Tok::Shr,
            _ => return None,
        })
    }

    /// `+ - * …`, comparisons, `and or`: what stands between two operands.
    pub(crate) fn is_binary(self) -> bool {
        use Tok::{Amp, At, Caret, Minus, Percent, Pipe, Plus, Shl, Shr, Slash, SlashSlash, Star, StarStar};
        use Tok::{And, EqEq, Ge, Gt, Le, Lt, Ne, Or};
        matches!(
            self,
            Plus | Minus | Star | Slash | SlashSlash | Percent | At | StarStar | Amp | Pipe | Caret | Shl | Shr
        ) || matches!(self, EqEq | Ne | Lt | Le | Gt | Ge | And | Or)
    }

    /// What may stand before an operand.
    pub(crate) fn is_prefix(self) -> bool {
        matches!(self, Tok::Plus | Tok::Minus | Tok::Tilde | Tok::Not)
    }

    /// Whether a line end after this token does not end the statement.
    pub(crate) fn continues(self) -> bool {
        self.is_binary()
            || self.without_assignment().is_some()
            || matches!(self, Tok::Eq | Tok::Comma | Tok::Colon | Tok::Arrow | Tok::Not)
    }

    /// Whether the token is a whole operand: a name or a literal.
    pub(crate) fn is_atom(self) -> bool {
        matches!(self, Tok::Name | Tok::Int | Tok::Float | Tok::Imaginary | Tok::Str)
            || matches!(self, Tok::True | Tok::False | Tok::None | Tok::Broken)
    }

    /// Whether an operand may end here.
    pub(crate) fn ends_operand(self) -> bool {
        self.is_atom() || self.is_closer()
    }

    /// `=`, `+=` and their like.
    pub(crate) fn is_assignment(self) -> bool {
        use Tok::{AmpEq, CaretEq, MinusEq, PercentEq, PipeEq, PlusEq, ShlEq, ShrEq, SlashEq, SlashSlashEq, StarEq};
        let is_update = matches!(self, PlusEq | MinusEq | StarEq | SlashEq | SlashSlashEq | PercentEq | AmpEq);
        is_update || matches!(self, Tok::Eq | Tok::StarStarEq | PipeEq | CaretEq | ShlEq | ShrEq)
    }

    /// `( [ {`
    pub(crate) fn is_opener(self) -> bool {
        matches!(self, Tok::LParen | Tok::LBracket | Tok::LBrace)
    }

    /// `) ] }`
    pub(crate) fn is_closer(self) -> bool {
        matches!(self, Tok::RParen | Tok::RBracket | Tok::RBrace)
    }

    /// The bracket that closes this one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the only other opener is a brace")]
    pub(crate) fn closer(self) -> Tok {
        match self {
            Tok::LParen => Tok::RParen,
            Tok::LBracket => Tok::RBracket,
            _ => Tok::RBrace,
        }
    }
}
