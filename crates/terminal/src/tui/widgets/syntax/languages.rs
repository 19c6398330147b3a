//! Table of the languages that have colours.

use super::super::theme::StyleRole;

/// What the scanner knows of a language.
#[derive(Debug)]
pub(super) struct Syntax {
    /// Names and file extensions.
    pub(super) names: &'static [&'static str],
    /// Marks of comments to the end of the line.
    pub(super) comments: &'static [&'static str],
    /// Start and end of elements that may span lines.
    pub(super) blocks: &'static [(&'static str, &'static str, StyleRole)],
    /// Quotation marks of strings on one line.
    pub(super) quotes: &'static [&'static str],
    /// Keywords in sort order.
    pub(super) keywords: &'static [&'static str],
    /// Keywords in capitals are the same.
    ignores_case: bool,
    /// Sign that makes the word before it a key.
    pub(super) key_sign: Option<char>,
}

impl Syntax {
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        const LONGEST: usize = 16;
        if self.ignores_case && word.len() <= LONGEST {
            return self.keywords.binary_search(&word.to_ascii_lowercase().as_str()).is_ok();
        }
        self.keywords.binary_search(&word).is_ok()
    }
}

const C_COMMENT: (&str, &str, StyleRole) = ("/*", "*/", StyleRole::Comment);
const BACKTICKS: (&str, &str, StyleRole) = ("`", "`", StyleRole::Literal);

const BASE: Syntax = Syntax {
    names: &[],
    comments: &[],
    blocks: &[],
    quotes: &["\"", "'"],
    keywords: &[],
    ignores_case: false,
    key_sign: None,
};

/// The languages.
pub(super) const LANGUAGES: &[Syntax] = &[
    Syntax {
        names: &["rust", "rs"],
        comments: &["//"],
        blocks: &[C_COMMENT],
        // An apostrophe begins a lifetime more often than a character.
        quotes: &["\""],
        keywords: &[
            "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
            "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
            "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
        ],
        ..BASE
    },
    Syntax {
        names: &["python", "py", "python3"],
        comments: &["#"],
        blocks: &[("\"\"\"", "\"\"\"", StyleRole::Literal), ("'''", "'''", StyleRole::Literal)],
        keywords: &[
            "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
            "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
            "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
        ],
        ..BASE
    },
    Syntax {
        names: &["javascript", "js", "jsx", "mjs", "typescript", "ts", "tsx"],
        comments: &["//"],
        blocks: &[C_COMMENT, BACKTICKS],
        keywords: &[
            "as", "async", "await", "break", "case", "catch", "class", "const", "continue", "default", "delete", "do",
            "else", "enum", "export", "extends", "false", "finally", "for", "from", "function", "if", "implements",
            "import", "in", "instanceof", "interface", "let", "new", "null", "of", "private", "public", "readonly",
            "return", "static", "super", "switch", "this", "throw", "true", "try", "type", "typeof", "undefined",
            "var", "void", "while", "yield",
        ],
        ..BASE
    },
    Syntax {
        names: &["go", "golang"],
        comments: &["//"],
        blocks: &[C_COMMENT, BACKTICKS],
        keywords: &[
            "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "false", "for",
            "func", "go", "goto", "if", "import", "interface", "map", "nil", "package", "range", "return", "select",
            "struct", "switch", "true", "type", "var",
        ],
        ..BASE
    },
    Syntax {
        names: &[
            "c", "h", "cpp", "cc", "cxx", "hpp", "c++", "java", "kotlin", "kt", "cs", "csharp", "c#", "swift", "dart",
            "scala", "php",
        ],
        comments: &["//"],
        blocks: &[C_COMMENT],
        keywords: &[
            "abstract", "auto", "bool", "boolean", "break", "case", "catch", "char", "class", "const", "continue",
            "default", "delete", "do", "double", "else", "enum", "extends", "extern", "false", "final", "float", "for",
            "fun", "func", "function", "if", "implements", "import", "in", "int", "interface", "let", "long",
            "namespace", "new", "nil", "null", "nullptr", "object", "override", "package", "private", "protected",
            "public", "return", "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw",
            "true", "try", "typedef", "union", "unsigned", "using", "val", "var", "virtual", "void", "volatile",
            "while",
        ],
        ..BASE
    },
    Syntax {
        names: &["shell", "sh", "bash", "zsh", "fish", "console", "dockerfile", "make", "makefile"],
        comments: &["#"],
        keywords: &[
            "case", "cd", "do", "done", "echo", "elif", "else", "esac", "exit", "export", "fi", "for", "function",
            "if", "in", "local", "return", "set", "source", "sudo", "then", "until", "while",
        ],
        ..BASE
    },
    Syntax {
        names: &["sql", "postgresql", "mysql", "sqlite"],
        comments: &["--"],
        blocks: &[C_COMMENT],
        keywords: &[
            "add", "all", "alter", "and", "as", "asc", "begin", "between", "by", "cascade", "case", "check", "column",
            "commit", "constraint", "create", "default", "delete", "desc", "distinct", "drop", "else", "end", "exists",
            "foreign", "from", "group", "having", "if", "in", "index", "inner", "insert", "into", "is", "join", "key",
            "left", "like", "limit", "not", "null", "on", "or", "order", "outer", "primary", "references", "returning",
            "rollback", "select", "set", "table", "then", "truncate", "union", "unique", "update", "values", "view",
            "when", "where", "with",
        ],
        ignores_case: true,
        ..BASE
    },
    Syntax { names: &["json", "jsonc", "json5"], quotes: &["\""], keywords: &["false", "null", "true"], key_sign: Some(':'), comments: &["//"], ..BASE },
    Syntax { names: &["yaml", "yml"], comments: &["#"], keywords: &["false", "null", "true"], key_sign: Some(':'), ..BASE },
    Syntax { names: &["toml", "ini", "cfg", "conf", "env", "properties"], comments: &["#", ";"], keywords: &["false", "true"], key_sign: Some('='), ..BASE },
];
