//! Rule: function bodies are statements that a reader reads once. Prints how often bodies use what hides a statement in an
//! expression, and the longest functions and files.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, ExprMethodCall, ImplItemFn, ItemFn, Local, Pat, PatIdent, TraitItemFn};

use super::Finding;
use super::language::is_noun;
use super::source::Source;
use super::workspace::Workspace;

/// Crates that still have filters which do not look at their element. This list may only shrink.
const WITH_BLIND_FILTERS: [&str; 1] = ["crates/desk/"];
/// Number of functions and files that are printed.
const LONGEST: usize = 10;

/// Counts over the function bodies of one or more sources. Tests are left out.
#[derive(Debug, Default, PartialEq, Eq)]
struct BodyCounts {
    lines: usize,
    closures: usize,
    /// Closures that a `let` names.
    named_closures: usize,
    /// `filter(|_| …)`: a condition that does not look at the element.
    blind_filters: usize,
    /// `let (a, b) = (x, y)`.
    tuple_lets: usize,
    locals: usize,
    /// Locals whose name is a bare participle, gerund or adverb.
    participles: usize,
}

/// A function with the place and the lines of its body.
#[derive(Debug)]
struct Function {
    place: String,
    lines: usize,
}

/// What a source has in its function bodies, tests left out.
#[derive(Debug, Default)]
pub(crate) struct FunctionBodies {
    counts: BodyCounts,
    functions: Vec<Function>,
}

/// Visitor that counts in the bodies of a source.
struct BodyReader<'s> {
    source: &'s Source,
    bodies: FunctionBodies,
    /// Number of function bodies around the current place.
    depth: usize,
}

/// Prints the counts. A filter that does not look at its element is a finding.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let mut counts = BodyCounts::default();
    let mut functions: Vec<&Function> = Vec::new();
    let mut files = Vec::new();
    let mut findings = Vec::new();
    for source in &workspace.sources {
        if source.test || !source.path.starts_with("crates/") || !source.path.contains("/src/") {
            continue;
        }
        counts.add(&source.bodies.counts);
        functions.extend(&source.bodies.functions);
        files.push(Function { place: source.path.clone(), lines: source.text.lines().count() });
        let is_allowed = WITH_BLIND_FILTERS.iter().any(|folder| source.path.starts_with(folder));
        if source.bodies.counts.blind_filters > 0 && !is_allowed {
            let advice = "write `if`: this filter does not look at its element";
            findings.push(Finding::new(&source.path, 1, "blind filter", advice));
        }
    }
    counts.print();
    print_longest("function", functions);
    print_longest("file", files.iter().collect());
    findings
}

fn print_longest(what: &str, mut measured: Vec<&Function>) {
    measured.sort_by_key(|one| std::cmp::Reverse(one.lines));
    for one in measured.iter().take(LONGEST) {
        println!("style: {:4} lines: {what} {}", one.lines, one.place);
    }
}

impl BodyCounts {
    fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.closures += other.closures;
        self.named_closures += other.named_closures;
        self.blind_filters += other.blind_filters;
        self.tuple_lets += other.tuple_lets;
        self.locals += other.locals;
        self.participles += other.participles;
    }

    /// Prints each count per 1,000 lines of function bodies.
    fn print(&self) {
        let rows = [
            ("closures", self.closures, self.lines),
            ("named closures", self.named_closures, self.lines),
            ("filter(|_|", self.blind_filters, self.lines),
            ("tuple lets of two expressions", self.tuple_lets, self.lines),
            ("bare participles in 1,000 locals", self.participles, self.locals),
        ];
        for (what, count, whole) in rows {
            let tenths = count * 10_000 / whole.max(1);
            println!("style: {:4}.{} {what}", tenths / 10, tenths % 10);
        }
    }
}

impl FunctionBodies {
    pub(super) fn read(source: &Source, file: &syn::File) -> Self {
        let mut reader = BodyReader { source, bodies: Self::default(), depth: 0 };
        reader.visit_file(file);
        reader.bodies
    }
}

impl BodyReader<'_> {
    fn read_body(&mut self, name: &syn::Ident, body: &Block) {
        let line = name.span().start().line;
        if self.source.is_test(line) {
            return;
        }
        let lines = body.span().end().line - body.span().start().line + 1;
        self.bodies.functions.push(Function { place: format!("{}:{line} {name}", self.source.path), lines });
        if self.depth == 0 {
            self.bodies.counts.lines += lines;
        }
        self.depth += 1;
        visit::visit_block(self, body);
        self.depth -= 1;
    }
}

impl<'ast> Visit<'ast> for BodyReader<'_> {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.read_body(&function.sig.ident, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.read_body(&function.sig.ident, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(body) = &function.default {
            self.read_body(&function.sig.ident, body);
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        if self.depth > 0 {
            self.bodies.counts.closures += 1;
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if let (true, Some(Expr::Closure(closure))) = (call.method == "filter", call.args.first())
            && let Some(Pat::Wild(_)) = closure.inputs.first()
        {
            self.bodies.counts.blind_filters += 1;
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            match (&local.pat, init.expr.as_ref()) {
                (Pat::Ident(_), Expr::Closure(_)) => self.bodies.counts.named_closures += 1,
                (Pat::Tuple(_), Expr::Tuple(_)) => self.bodies.counts.tuple_lets += 1,
                _ => {}
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, local: &'ast PatIdent) {
        let name = local.ident.to_string();
        // A constant or a variant has capitals.
        if self.depth > 0 && !name.starts_with(char::is_uppercase) {
            self.bodies.counts.locals += 1;
            self.bodies.counts.participles += usize::from(!is_noun(&name));
        }
        visit::visit_pat_ident(self, local);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_bodies() {
        let text = "//! A.\nfn f(given: u8) {\n    let (a, shown) = (1, 2);\n    let twice = |one: u8| one;\n    \
                    let _ = Some(a).filter(|_| shown > 1);\n}\n#[cfg(test)]\nmod tests {\n    fn g() {\n        \
                    let asked = || 1;\n    }\n}\n";
        let source = Source::parse("crates/a/src/b.rs", text.to_owned(), false).unwrap();
        let workspace = Workspace { sources: vec![source], ..Workspace::default() };
        assert_eq!(find(&workspace).len(), 1);
        let bodies = &workspace.sources[0].bodies;
        let expected = BodyCounts {
            lines: 5,
            closures: 2,
            named_closures: 1,
            blind_filters: 1,
            tuple_lets: 1,
            locals: 4,
            participles: 1,
        };
        assert_eq!(bodies.counts, expected);
        assert_eq!(bodies.functions.len(), 1);
    }
}
