//! Names that C or C++ takes.

use crate::types::DType;
use std::fmt::Write;

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
const FUNCTIONS: &str = "abort abs accept access acct acos acosh alarm alloca asctime asin asinh asprintf atan atan2 \
    atanh atexit atof atoi atol basename bcmp bcopy bind brk bsearch bzero cabs cacos cacosh calloc canonicalize carg \
    casin casinh catan catanh cbrt ccos ccosh ceil cexp chdir chown chroot cimag clearerr clock clog clog10 clone \
    close confstr conj connect copysign cos cosh cpow cproj creal crypt csin csinh csqrt ctan ctanh ctermid ctime \
    daddl daemon daylight ddivl dfmal difftime div dmull dprintf drand48 drem dsqrtl dsubl dup dup2 ecvt encrypt \
    environ erand48 erf erfc err error exec execle execlp execv execve execvp exit exp exp10 exp2 expm1 fabs fadd \
    fchdir fchown fclose fcvt fdatasync fdim fdiv fdopen feof ferror fflush ffma ffs fgetc fgetpos fgets fileno \
    finite floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum fminimum_mag \
    fminimum_mag_num fminimum_num fminmag fmod fmul fopen fork fprintf fputc fputs fread free freopen frexp fromfp \
    fromfpx fscanf fseek fseeko fsetpos fsqrt fsub fsync ftell ftello ftruncate fwrite gamma gcvt getc getchar getcwd \
    getdate getdelim getegid getenv geteuid getgid gethostname getline getlogin getopt getpayload getpid getppid \
    getuid getw gmtime hypot ilogb index initstate isalnum isalpha isatty isdigit isinf isnan isspace j0 j1 jn \
    jrand48 kill labs lchown lcong48 ldexp ldiv lgamma link linkat listen llabs lldiv llogb llrint llround localtime \
    lockf log log10 log1p log2 logb longjmp lrand48 lrint lround lseek main malloc mblen mbstowcs mbtowc memccpy \
    memchr memcmp memcpy memfrob memmem memmove mempcpy memrchr memset mkstemp mktemp mktime modf mrand48 nan \
    nanosleep nearbyint nextafter nextdown nexttoward nextup nice nrand48 open optarg opterr optind optopt pathconf \
    pause pclose perror pipe poll popen pow pow10 pread printf profil putc putchar putenv puts putw pwrite qsort \
    raise rand random rawmemchr read readlink realloc realpath recv remainder remove remquo rename rewind rindex rint \
    rmdir round roundeven sbrk scalb scalbln scalbn scanf seed48 select send setbuf setenv setgid setjmp setpayload \
    setpayloadsig setsid setstate setuid setvbuf shutdown signal signgam significand sin sincos sinh sleep snprintf \
    socket splice sprintf sqrt srand srand48 srandom sscanf stat stpcpy stpncpy strcasecmp strcasestr strcat strchr \
    strchrnul strcmp strcoll strcpy strcspn strdup strerror strfry strftime strlen strncasecmp strncat strncmp \
    strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtok strtol \
    strtold strtoul strtoull strverscmp strxfrm swab symlink sync syscall sysconf system tan tanh tee tempnam tgamma \
    time timegm times timezone tmpfile tmpnam tolower totalorder totalordermag toupper trunc truncate ttyname tzset \
    ualarm ufromfp ufromfpx ungetc unlink unsetenv usleep valloc vfork vfprintf vhangup vprintf vscanf vsnprintf \
    vsprintf wait warn wcstombs wctomb write y0 y1 yn";

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
                _ if letter.is_alphabetic() => {
                    let _ = write!(plain, "u{:x}", u32::from(letter));
                }
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
