//! Names as C and C++ take them.

use crate::types::DType;

/// Words of C up to C23, and of C++ up to C++20.
const KEYWORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t \
    class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default \
    delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable \
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires \
    restrict return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true \
    try typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq";

/// Names that headers of C define in ways that parameters cannot shadow.
const DEFINED: &str = "BUFSIZ EOF HUGE_VAL I INFINITY M_E M_PI NAN NULL RAND_MAX assert complex errno i386 \
    imaginary linux signbit stderr stdin stdout unix";

/// Functions of C and its systems: another one of the same name takes their place in a whole program.
const FUNCTIONS: &str = "abort abs accept access acct acos acosh alarm asin asinh atan atan2 atanh atexit atof atoi \
    atol bcmp bcopy bind brk bsearch bzero cabs cacos calloc carg casin catan cbrt ccos ccosh ceil cexp cimag clock \
    clog clone close conj connect copysign cos cosh cpow cproj creal csin csinh csqrt ctan ctanh ctime daylight \
    difftime div drem dup dup2 encrypt environ erf erfc err error exec exit exp exp10 exp2 expm1 fabs fclose fdim \
    fflush ffs finite floor fma fmax fmin fmod fopen fork fputc fputs fread free frexp fwrite gamma getc getenv \
    getline gmtime hypot ilogb index isalnum isalpha isdigit isinf isnan isspace j0 j1 jn kill labs ldexp ldiv lgamma \
    link listen llabs llrint llround localtime log log10 log1p log2 logb longjmp lrint lround lseek main malloc mblen \
    memchr memcmp memcpy memmove memset mktime modf nan nearbyint nextafter nexttoward nice open pause perror pipe \
    poll pow pow10 printf profil putc putchar puts pwrite qsort raise rand random read realloc recv remainder remove \
    remquo rename rewind rindex rint round roundeven sbrk scalb scalbln scalbn scanf select send setenv setjmp \
    shutdown signal significand sin sincos sinh sleep snprintf socket splice sprintf sqrt srand srandom stat strcat \
    strchr strcmp strcpy strdup strerror strlen strncat strncmp strncpy strrchr strstr strtod strtof strtok strtol \
    swab symlink sync syscall system tan tanh tee tgamma time times timezone tolower toupper trunc truncate unlink \
    usleep vfork wait warn write y0 y1 yn";

/// Types of the headers of C.
const TYPES: &str = "FILE clock_t div_t double_t float_t fpos_t imaxdiv_t int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t \
    int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf ldiv_t \
    lldiv_t max_align_t mode_t off_t pid_t ptrdiff_t sig_atomic_t size_t ssize_t time_t uint16_t uint32_t uint64_t uint8_t \
    uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t \
    uintmax_t uintptr_t va_list wint_t";

fn is_one_of(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
}

/// Whether C has another meaning for the name of a function.
pub(super) fn is_taken(name: &str) -> bool {
    let is_function = |name: &str| is_one_of(FUNCTIONS, name);
    // `sinf` and `sinl` are `sin` of other types.
    let of_type = name.strip_suffix(['f', 'l']).is_some_and(is_function);
    let is_type = is_one_of(TYPES, name) || DType::ALL.iter().any(|dtype| dtype.row().c_type == name);
    let is_ours = name.starts_with("arr_in_") || name.starts_with("arr_out_");
    let is_word = is_one_of(KEYWORDS, name) || is_one_of(DEFINED, name);
    is_word || is_function(name) || of_type || is_type || is_ours || of_compilers(name) || is_macro(name)
}

/// Whether a name begins like those of compilers.
fn of_compilers(name: &str) -> bool {
    name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether a name is like the macros of our headers, or of `stdint.h`.
fn is_macro(name: &str) -> bool {
    let is_limit = ["_C", "_MAX", "_MIN", "_WIDTH"].iter().any(|end| name.ends_with(end));
    let is_type = ["INT", "UINT", "SIZE_", "PTRDIFF_", "SIG_ATOMIC_", "WCHAR_", "WINT_"];
    name.starts_with("ARR_") || is_limit && is_type.iter().any(|begin| name.starts_with(begin))
}

/// Names that begin like those of compilers, are like macros, or are types of a header.
fn is_reserved(name: &str) -> bool {
    of_compilers(name) || is_macro(name) || name.starts_with("arr_") || name.ends_with("_t")
}

/// Names of parameters, no two the same.
#[derive(Clone, Default)]
pub(super) struct ParameterNames(Vec<String>);

impl ParameterNames {
    /// Adds a parameter. Returns its name: as in the script, if C accepts that and nothing else has it. Letters of
    /// other alphabets become their numbers, and a name that is taken gets the end `end`.
    pub(super) fn add(&mut self, name: &str, end: &str) -> String {
        let mut plain = String::new();
        for letter in name.chars() {
            match letter {
                _ if letter.is_ascii_alphanumeric() => plain.push(letter),
                _ if letter.is_alphabetic() => plain.push_str(&format!("u{:x}", u32::from(letter))),
                _ => plain.push('_'),
            }
        }
        let first = plain.trim_start_matches('_').chars().next();
        if !first.is_some_and(|first| first.is_ascii_alphabetic()) || plain.starts_with("__") || is_reserved(&plain) {
            plain.insert_str(0, "of_");
        }
        while !self.is_free(&plain) {
            plain.push_str(end);
        }
        self.0.push(plain.clone());
        plain
    }

    fn is_free(&self, name: &str) -> bool {
        let known = self.0.iter().any(|known| known == name) || ["scratch", "stop"].contains(&name);
        !known && !is_one_of(KEYWORDS, name) && !is_one_of(DEFINED, name)
    }
}
