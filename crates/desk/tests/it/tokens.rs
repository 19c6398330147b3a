//! Tokens over a real file: every process knows them immediately, and forgets them immediately; the file never has
//! their text.

use crate::asks::{desk, open};
use crate::child::ChildDesk;
use jiff::SignedDuration;
use sayso_core::{Lang, ProblemCode, limits};
use sayso_desk::token::{TokenRole, is_well_formed, token_problem};
use std::path::Path;
use tempfile::TempDir;

fn folder() -> (TempDir, std::path::PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    (folder, path)
}

/// Returns whether a file of the folder contains these bytes.
fn folder_contains(folder: &Path, bytes: &[u8]) -> bool {
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    files.into_iter().any(|file| file.windows(bytes.len()).any(|window| window == bytes))
}

#[test]
fn token_is_found_by_its_text() {
    let ((_folder, path), (_elsewhere, other)) = (folder(), folder());
    let desk = desk(&path);
    for role in TokenRole::ALL {
        let (token, secret) = desk.new_token(role, "ada", None).unwrap();
        assert_eq!((token.role, token.account.as_str(), token.expires_at), (role, "ada", None));
        assert_eq!(desk.verify_token(secret.reveal()).unwrap(), Some(token));
    }
    assert_eq!(desk.tokens().unwrap().len(), TokenRole::ALL.len(), "an account may have several");
    let (_, secret) = crate::asks::desk(&other).new_token(TokenRole::Person, "ada", None).unwrap();
    assert!(is_well_formed(secret.reveal()));
    for text in [secret.reveal(), "", "ada", "sayso_p_", "%", "sayso_p_' OR 1=1"] {
        assert_eq!(desk.verify_token(text).unwrap(), None, "{text}");
    }
}

#[test]
fn revoked_token_is_unknown_everywhere() {
    let (_folder, path) = folder();
    let here = desk(&path);
    let mut there = ChildDesk::start(&path);
    let (token, secret) = here.new_token(TokenRole::Asker, "ci", None).unwrap();
    let whose = format!("whose {}", secret.reveal());
    let also_here = desk(&path);
    assert_eq!(there.ask(&whose), "ci");
    assert!(also_here.verify_token(secret.reveal()).unwrap().is_some());
    here.revoke_token(&token.id).unwrap();
    assert_eq!(there.ask(&whose), "nobody");
    assert_eq!(also_here.verify_token(secret.reveal()).unwrap(), None);

    let (token, secret) = here.new_token(TokenRole::Asker, "ci", None).unwrap();
    assert!(here.verify_token(secret.reveal()).unwrap().is_some());
    assert_eq!(there.ask(&format!("revoke {}", token.id)), "ci");
    assert_eq!(here.verify_token(secret.reveal()).unwrap(), None);
    let again = here.revoke_token(&token.id).unwrap();
    assert_eq!(here.tokens().unwrap().last(), Some(&again), "to revoke twice changes nothing");
}

#[test]
fn token_expires() {
    let (_folder, path) = folder();
    let desk = desk(&path);
    let (token, secret) =
        desk.new_token(TokenRole::Person, "ada", Some(SignedDuration::from_hours(1))).unwrap();
    assert_eq!(token.expires_at.unwrap(), token.created_at + SignedDuration::from_hours(1));
    assert_eq!(desk.verify_token(secret.reveal()).unwrap(), Some(token));
    // Shorter than the clock's resolution: it expires when it begins.
    let (token, secret) =
        desk.new_token(TokenRole::Person, "ada", Some(SignedDuration::from_nanos(1))).unwrap();
    assert_eq!(token.expires_at, Some(token.created_at));
    assert_eq!(desk.verify_token(secret.reveal()).unwrap(), None);
    let longest = SignedDuration::from_secs(limits::TOKEN_SECONDS);
    assert!(desk.new_token(TokenRole::Person, "ada", Some(longest)).is_ok());
    for wrong in
        [SignedDuration::ZERO, SignedDuration::from_secs(-1), longest + SignedDuration::from_nanos(1)]
    {
        let problem = desk.new_token(TokenRole::Person, "ada", Some(wrong)).unwrap_err();
        assert_eq!(problem.code, ProblemCode::InvalidValue, "{wrong}");
    }
}

#[test]
fn files_never_contain_token_text() {
    let (folder, path) = folder();
    let desk = desk(&path);
    let (token, secret) = desk.new_token(TokenRole::Admin, "the gateway", None).unwrap();
    open(&desk, "door");
    assert!(desk.verify_token(secret.reveal()).unwrap().is_some());
    let rest = secret.reveal().strip_prefix("sayso_x_").unwrap();
    for part in [secret.reveal(), rest, &rest[..16], &rest[40..]] {
        assert!(!folder_contains(folder.path(), part.as_bytes()), "{part}");
    }
    assert!(folder_contains(folder.path(), token.id.as_bytes()), "the search finds what is there");
    let shown = format!("{secret:?} {token:?} {:?}", desk.tokens().unwrap());
    assert!(!shown.contains(&rest[..16]), "{shown}");
}

#[test]
fn unknown_token_id_suggests_nearest() {
    let (_folder, path) = folder();
    let desk = desk(&path);
    let (token, secret) = desk.new_token(TokenRole::Asker, "ci", None).unwrap();
    let output_of = |id: &str| {
        let problem = desk.revoke_token(id).unwrap_err();
        assert_eq!(problem.code, ProblemCode::InvalidValue);
        problem.render_lines(Lang::En).join("\n")
    };
    let typed = format!("{}x", &token.id[..7]);
    if typed != token.id {
        assert_eq!(
            output_of(&typed),
            format!("This desk has no token \"{typed}\".\nDid you mean {}?", token.id)
        );
    }
    assert!(output_of("nothing-like-it").ends_with("To list the ids: sayso token list"));
    let report = output_of(secret.reveal());
    assert!(!report.contains(secret.reveal()) && report.contains("Use the id to revoke it"), "{report}");
    assert!(desk.verify_token(secret.reveal()).unwrap().is_some(), "nothing was revoked");
}

#[test]
fn mistyped_token_differs_from_ended() {
    let (_folder, path) = folder();
    let desk = desk(&path);
    let (token, secret) = desk.new_token(TokenRole::Asker, "ci", None).unwrap();
    desk.revoke_token(&token.id).unwrap();
    let output_of = |text: &str| {
        let problem = token_problem(text);
        assert_eq!(problem.code, ProblemCode::Unauthorized);
        problem.render_lines(Lang::En).join("\n")
    };
    assert!(output_of(secret.reveal()).contains("was revoked"));
    assert!(output_of(&secret.reveal()[..63]).contains("wrong or missing"));
}
