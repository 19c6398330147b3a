//! Admission of a person whom the issuer named: its groups, a token that ends its sessions, and its session.

use super::account::account_name;
use super::claims::IssuerClaims;
use super::config::OidcConfig;
use crate::diagnostics::log_event;
use jiff::Timestamp;
use sayso_core::{Audience, Message, Problem, ProblemCode, limits};
use sayso_desk::browser_session::{BrowserSecret, BrowserSessionRecord, NewBrowser};
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole, check_account_name};
use sayso_desk::{GroupChange, ServerDesk};
use std::collections::BTreeSet;

/// Signs a member's browser in. The session hangs on a token of its own whose text no one has: it expires, is listed
/// and is revoked like any other.
///
/// # Errors
/// Fails if the person is no member, whose sessions end then, or the desk cannot store it.
pub(super) fn admit(
    desk: &dyn ServerDesk,
    config: &OidcConfig,
    claims: IssuerClaims,
    browser: NewBrowser,
    now: Timestamp,
) -> Result<(BrowserSessionRecord, BrowserSecret), Problem> {
    let account = account_name(&config.issuer, &claims.subject);
    let Some(role) = config.members.role_of(&claims) else {
        set_groups(desk, &account, &BTreeSet::new())?;
        end_sessions(desk, &account, now)?;
        log_event!(INFO, Http, "sign-in at the issuer refused: no member");
        return Err(Problem::new(ProblemCode::NotAllowed, Message::IssuerNoMember)
            .with_hint(Message::IssuerNoMemberHint));
    };
    if !config.groups_claim.is_empty() {
        set_groups(desk, &account, &claims.into_groups())?;
    }
    let (expires_in, audience) = (Some(config.session_life()), TokenAudience::default());
    let session = desk.sign_in_member(TokenRequest { role, account, expires_in, audience }, browser)?;
    log_event!(INFO, Http, "signed in at the issuer", role = role.as_str());
    // A token that was just made lets in.
    session.ok_or_else(|| Problem::new(ProblemCode::Unauthorized, Message::SessionOver))
}

/// Makes these the groups of an account, except those whose names the desk uses otherwise.
///
/// # Errors
/// Fails if they are too many, or the desk cannot store them.
fn set_groups(desk: &dyn ServerDesk, account: &str, wanted: &BTreeSet<String>) -> Result<(), Problem> {
    if wanted.len() > limits::ISSUER_GROUPS {
        let message = Message::IssuerGroupsMany.with([limits::ISSUER_GROUPS]);
        return Err(Problem::new(ProblemCode::NotAllowed, message).with_hint(Message::IssuerGroupsHint));
    }
    let known = desk.groups_of(account)?;
    let change = |group: &String, joins| {
        let change = GroupChange { group: group.clone(), account: account.to_owned(), joins };
        desk.change_group(change)
    };
    known.difference(wanted).try_for_each(|group| change(group, false).map(drop))?;
    let is_name = |group: &&String| *group != Audience::MEMBERS && check_account_name(group).is_ok();
    for group in wanted.difference(&known).filter(is_name) {
        match change(group, true) {
            // An account has this name.
            Err(problem) if problem.code == ProblemCode::InvalidValue => {
                log_event!(WARN, Http, "a group of the issuer has the name of an account");
            }
            changed => drop(changed?),
        }
    }
    Ok(())
}

/// Ends what an account holds here as a person.
///
/// # Errors
/// Fails if the desk cannot store it.
fn end_sessions(desk: &dyn ServerDesk, account: &str, now: Timestamp) -> Result<(), Problem> {
    let tokens = desk.tokens()?.into_iter();
    let own = tokens.filter(|token| token.account == account && token.role != TokenRole::Asker);
    own.filter(|token| token.is_valid(now)).try_for_each(|token| desk.revoke_token(&token.id).map(drop))
}
