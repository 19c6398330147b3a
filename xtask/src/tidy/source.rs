//! One source file, parsed once: the facts that rules ask for.

use std::ops::RangeInclusive;

use anyhow::Context;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Ident, Item, ItemMod, Signature, UseTree, Visibility};

/// Facts about a `.rs` file. Lines are counted from 1.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    /// Compiled for tests only.
    pub(crate) test: bool,
    pub(crate) declared: Vec<DeclaredModule>,
    /// Files of `include!("…")`.
    pub(crate) included: Vec<String>,
    pub(crate) functions: Vec<Function>,
    pub(crate) types: Vec<NamedType>,
    /// Names of inline modules, with their lines.
    pub(crate) inline: Vec<(String, usize)>,
    /// Paths that the code names, as `std::fs::read`; imports in braces are written out. Attributes are `#[ignore]`,
    /// asynchronous functions `async fn`.
    pub(crate) names: Vec<(String, usize)>,
    test_lines: Vec<RangeInclusive<usize>>,
    around: Vec<(String, bool)>,
}

/// A `mod name;`.
#[derive(Debug, Clone)]
pub(crate) struct DeclaredModule {
    /// Its name, after the names of the inline modules around it.
    pub(crate) path: Vec<String>,
    pub(crate) test: bool,
}

/// A function with a body.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) body_lines: usize,
    /// Carries `#[test]`.
    pub(crate) is_test: bool,
}

/// A struct, an enum or a trait.
#[derive(Debug)]
pub(crate) struct NamedType {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// Visible outside its module.
    pub(crate) visible: bool,
}

impl Source {
    /// Parses a file.
    pub(crate) fn parse(path: &str, text: String, test: bool) -> anyhow::Result<Self> {
        let file = syn::parse_file(&text).with_context(|| path.to_owned())?;
        let mut source = Self { path: path.to_owned(), test, ..Self::default() };
        source.visit_file(&file);
        source.text = text;
        Ok(source)
    }

    /// Returns whether a line is compiled for tests only.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        self.test || self.test_lines.iter().any(|lines| lines.contains(&line))
    }

    fn add_function(&mut self, signature: &Signature, attributes: &[Attribute], block: &Block) {
        let line = line(signature.fn_token.span);
        let braces = block.brace_token.span;
        let body_lines = line_of(braces.close()).saturating_sub(line_of(braces.open()) + 1);
        let is_test = attributes.iter().any(|attribute| attribute.path().is_ident("test"));
        self.functions.push(Function { name: signature.ident.to_string(), line, body_lines, is_test });
    }

    fn add_type(&mut self, name: &Ident, visibility: &Visibility) {
        let visible = !matches!(visibility, Visibility::Inherited);
        self.types.push(NamedType { name: name.to_string(), line: line(name.span()), visible });
    }

    fn add_imports(&mut self, before: &str, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.add_imports(&format!("{before}{}::", path.ident), &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.add_imports(before, item)),
            UseTree::Name(name) => self.names.push((format!("{before}{}", name.ident), line(name.span()))),
            UseTree::Rename(name) => self.names.push((format!("{before}{}", name.ident), line(name.span()))),
            UseTree::Glob(star) => self.names.push((before.to_owned(), line(star.span()))),
        }
    }

    /// Reads the paths in the arguments of a macro, which are no syntax tree.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut at) = (String::new(), 1);
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if !path.ends_with("::") {
                        self.names.push((std::mem::take(&mut path), at));
                    }
                    at = line(word.span());
                    path.push_str(&word.to_string());
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => path.push(':'),
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.names.push((std::mem::take(&mut path), at));
                }
            }
        }
        self.names.push((path, at));
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let name = module.ident.to_string().trim_start_matches("r#").to_owned();
        let test = self.around.last().is_some_and(|(_, test)| *test) || module.attrs.iter().any(is_test_only);
        if module.content.is_some() {
            let start = line(module.ident.span());
            if test {
                self.test_lines.push(start..=line_of(module.span()));
            }
            self.inline.push((name.clone(), start));
            self.around.push((name, test));
            visit::visit_item_mod(self, module);
            self.around.pop();
        } else {
            let path = self.around.iter().map(|(name, _)| name.clone()).chain([name]).collect();
            self.declared.push(DeclaredModule { path, test });
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Struct(one) => self.add_type(&one.ident, &one.vis),
            Item::Enum(one) => self.add_type(&one.ident, &one.vis),
            Item::Trait(one) => self.add_type(&one.ident, &one.vis),
            Item::Fn(one) => self.add_function(&one.sig, &one.attrs, &one.block),
            Item::Use(one) => self.add_imports("", &one.tree),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add_function(&function.sig, &function.attrs, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.add_function(&function.sig, &function.attrs, block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        if let Some(asyncness) = signature.asyncness {
            self.names.push(("async fn".to_owned(), line(asyncness.span)));
        }
        visit::visit_signature(self, signature);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.names.push((words.join("::"), line(path.span())));
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Some(name) = attribute.path().get_ident() {
            self.names.push((format!("#[{name}]"), line(name.span())));
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.is_ident("include")
            && let Ok(file) = call.parse_body::<syn::LitStr>()
        {
            self.included.push(file.value());
        }
        self.add_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}

/// `#[cfg(test)]` and the like.
fn is_test_only(attribute: &Attribute) -> bool {
    let Ok(list) = attribute.meta.require_list() else { return false };
    let words: Vec<String> =
        list.tokens.to_string().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    let has = |word: &str| words.iter().any(|one| one == word);
    attribute.path().is_ident("cfg") && has("test") && !has("not")
}

fn line(span: Span) -> usize {
    span.start().line
}

fn line_of(span: Span) -> usize {
    span.end().line
}
