//! One source file, parsed once: the facts that rules ask for.

use std::ops::RangeInclusive;

use anyhow::Context;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, ItemMod, Visibility};

use super::style::FunctionBodies;

/// Facts about a `.rs` file. Lines are counted from 1.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    /// Compiled for tests only.
    pub(crate) test: bool,
    /// Modules in files of their own: the path below this module, and whether they are compiled for tests only.
    pub(crate) declared: Vec<(String, bool)>,
    /// Files of `include!("…")`.
    pub(crate) included: Vec<String>,
    /// Names of the functions with `#[test]`.
    pub(crate) tests: Vec<String>,
    pub(crate) types: Vec<NamedType>,
    /// Names of inline modules, with their lines.
    pub(crate) inline: Vec<(String, usize)>,
    /// Paths that the code names, as `std::fs::read`; imports in braces are written out. Attributes are `#[ignore]`,
    /// asynchronous functions `async fn`.
    pub(crate) names: Vec<(String, usize)>,
    pub(crate) bodies: FunctionBodies,
    test_lines: Vec<RangeInclusive<usize>>,
    around: Vec<(String, bool)>,
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
        let tokens: TokenStream = text.parse().map_err(|error| anyhow::anyhow!("{path}: {error}"))?;
        let file = syn::parse2(tokens.clone()).with_context(|| path.to_owned())?;
        let mut source = Self { path: path.to_owned(), test, ..Self::default() };
        source.visit_file(&file);
        source.add_names(tokens, "");
        source.text = text;
        source.bodies = FunctionBodies::read(&source, &file);
        Ok(source)
    }

    /// Returns whether a line is compiled for tests only.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        self.test || self.test_lines.iter().any(|lines| lines.contains(&line))
    }

    /// Adds the paths in these tokens. `before` is the path in front of the braces around them, such as `std::`.
    fn add_names(&mut self, tokens: TokenStream, before: &str) {
        let (mut path, mut line) = (before.to_owned(), 0);
        for token in tokens {
            line = if path == before { token.span().start().line } else { line };
            match token {
                TokenTree::Ident(word) if path.is_empty() || path.ends_with("::") => {
                    path.push_str(&word.to_string());
                }
                TokenTree::Ident(word) => {
                    let is_async = path == "async" && word == "fn";
                    let done = if is_async { "async fn".to_owned() } else { std::mem::take(&mut path) };
                    self.names.push((done, line));
                    (path, line) = (word.to_string(), word.span().start().line);
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => path.push(':'),
                TokenTree::Group(group) => {
                    let is_import = path.ends_with("::") && group.delimiter() == Delimiter::Brace;
                    let path = std::mem::take(&mut path);
                    self.add_names(group.stream(), if is_import { &path } else { "" });
                    let attribute = group.stream().into_iter().next().filter(|_| path == "#");
                    self.names.push((attribute.map_or(path, |name| format!("#[{name}]")), line));
                }
                TokenTree::Punct(mark) if mark.as_char() == '#' => path = "#".to_owned(),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.names.push((std::mem::replace(&mut path, before.to_owned()), line));
                }
            }
        }
        self.names.push((path, line));
    }

    fn add_type(&mut self, name: &Ident, visibility: &Visibility) {
        let visible = !matches!(visibility, Visibility::Inherited);
        self.types.push(NamedType { name: name.to_string(), line: name.span().start().line, visible });
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let name = module.ident.to_string().trim_start_matches("r#").to_owned();
        let test = self.around.last().is_some_and(|(_, test)| *test) || module.attrs.iter().any(is_test_only);
        if module.content.is_some() {
            let start = module.ident.span().start().line;
            if test {
                self.test_lines.push(start..=module.span().end().line);
            }
            self.inline.push((name.clone(), start));
            self.around.push((name, test));
            visit::visit_item_mod(self, module);
            self.around.pop();
        } else {
            let around = self.around.iter().map(|(name, _)| format!("{name}/"));
            self.declared.push((around.chain([name]).collect(), test));
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Struct(one) => self.add_type(&one.ident, &one.vis),
            Item::Enum(one) => self.add_type(&one.ident, &one.vis),
            Item::Trait(one) => self.add_type(&one.ident, &one.vis),
            Item::Fn(one) if one.attrs.iter().any(|attribute| attribute.path().is_ident("test")) => {
                self.tests.push(one.sig.ident.to_string());
            }
            Item::Macro(call) if call.mac.path.is_ident("include") => {
                self.included.extend(call.mac.parse_body::<syn::LitStr>().map(|file| file.value()));
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }
}

/// `#[cfg(test)]` and the like.
fn is_test_only(attribute: &Attribute) -> bool {
    let Ok(list) = attribute.meta.require_list() else { return false };
    let words = list.tokens.to_string();
    let has = |word: &str| words.split(|c: char| !c.is_alphanumeric()).any(|one| one == word);
    attribute.path().is_ident("cfg") && has("test") && !has("not")
}
