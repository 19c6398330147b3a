//! Tests of how each screen of the page looks and reads: in both languages and schemes, with forced colours, on a phone,
//! in a narrow window, at a zoom of 400 %, from right to left, with large letters and more space between them; in the
//! short set in one of each.

use crate::support::browser::page_browser::{PageBrowser, plays_in_chromium, sees_everything};
use crate::web::screens::show_screens;
use crate::web::signed_in::SignedInPage;
use serde_json::json;
use std::path::PathBuf;

/// Widths and heights of a laptop and a phone.
const LAPTOP: (u32, u32) = (1280, 800);
const PHONE: (u32, u32) = (390, 844);
/// Schemes, with forced colours or without.
const LOOKS: [(&str, bool); 4] = [("light", false), ("dark", false), ("light", true), ("dark", true)];
/// A narrow window, and one of 1280 × 1024 at 400 %.
const NARROW: [(u32, u32); 2] = [(320, 640), (320, 256)];

/// Part of a screen that is read: the inbox beside an ask differs with the time.
const READ: &str = "body:not(.has-ask), body.has-ask #main";

/// Keeps a picture of the page if `SAYSO_SHOTS` names a folder.
fn shoot(page: &mut PageBrowser, name: &str) {
    if let Some(folder) = std::env::var_os("SAYSO_SHOTS") {
        let file = PathBuf::from(folder).join(format!("{}.png", name.replace(' ', "-")));
        page.run_step("shot", json!({ "file": file.to_str().unwrap() }));
    }
}

/// Seeing of screens in one language.
pub(crate) struct Inspector {
    lang: &'static str,
    count: usize,
    /// The browser shows letters twice as large.
    is_large: bool,
    /// Screens whose accessibility tree is kept in a file.
    trees: String,
}

impl Inspector {
    fn new(lang: &'static str, is_large: bool) -> Self {
        Self { lang, count: 0, is_large, trees: String::new() }
    }

    /// Sees the screen that a page shows.
    pub(crate) fn inspect(&mut self, page: &mut PageBrowser, what: &str) {
        self.count += 1;
        if self.is_large {
            for (width, height) in [PHONE, LAPTOP] {
                page.run_step("size", json!({ "width": width, "height": height }));
                page.assert_nothing_cut(&format!("{what}, large, {width} px"));
            }
            return;
        }
        if self.lang == "en" && plays_in_chromium() && !what.contains(':') {
            let tree = page.run_step("tree", json!({ "selector": READ }));
            self.trees += &format!("# {what}\n{}\n\n", tree.as_str().unwrap());
        }
        if !sees_everything() || !plays_in_chromium() {
            page.assert_accessible();
            page.assert_nothing_cut(what);
            page.assert_targets(24, what);
            if sees_everything() {
                page.assert_focus_is_seen(what);
            }
            return;
        }
        for (scheme, forced) in LOOKS {
            for (width, height) in [LAPTOP, PHONE] {
                page.run_step("scheme", json!({ "scheme": scheme, "forced": forced }));
                page.run_step("size", json!({ "width": width, "height": height }));
                let name = format!("{what}, {}, {scheme}, forced: {forced}, {width} px", self.lang);
                page.assert_accessible();
                page.assert_nothing_cut(&name);
                page.assert_targets(24, &name);
                page.assert_mirrored(&name);
                if !forced {
                    shoot(page, &format!("{what}-{}-{scheme}-{width}", self.lang));
                }
            }
        }
        for (width, height) in [LAPTOP, PHONE] {
            page.run_step("size", json!({ "width": width, "height": height }));
            page.assert_text_can_be_spaced(&format!("{what}, {width} px"));
            page.assert_focus_is_seen(&format!("{what}, {width} px"));
        }
        for dir in ["ltr", "rtl"] {
            page.run_step("direction", json!({ "dir": dir }));
            for (width, height) in NARROW {
                page.run_step("size", json!({ "width": width, "height": height }));
                page.assert_nothing_cut(&format!("{what}, {dir}, {width} × {height} px"));
                page.assert_text_can_be_spaced(&format!("{what}, {dir}, {width} × {height} px"));
            }
        }
        page.assert_focus_is_seen(&format!("{what}, in a narrow window"));
        page.run_step("direction", json!({ "dir": "ltr" }));
        page.run_step("size", json!({ "width": LAPTOP.0, "height": LAPTOP.1 }));
    }
}

fn see_all(lang: &'static str, locale: &str, switches: &[&str]) -> Inspector {
    let mut signed = SignedInPage::start_with(switches);
    signed.open_browser(lang, json!({ "lang": locale, "width": LAPTOP.0, "height": LAPTOP.1 }));
    let mut inspector = Inspector::new(lang, !switches.is_empty());
    show_screens(&mut signed, lang, locale, &mut inspector);
    assert_eq!(inspector.count, 42, "screens");
    signed.page.assert_no_errors();
    inspector
}

#[test]
pub(super) fn english_screens_are_accessible() {
    let trees = see_all("en", "en-US", &[]).trees;
    let now = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trees.txt");
    std::fs::write(&now, &trees).unwrap();
    assert!(
        trees == include_str!("../../browser/trees.txt"),
        "{} differs from tests/browser/trees.txt",
        now.display()
    );
}

#[test]
pub(super) fn chinese_screens_are_accessible() {
    see_all("zh", "zh-CN", &[]);
}

#[test]
pub(super) fn large_letters_fit() {
    see_all("en", "en-US", &["--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"]);
}

/// For other browsers: each screen once.
pub(super) fn screens_are_accessible_once() {
    see_all("en", "en-US", &[]);
}
