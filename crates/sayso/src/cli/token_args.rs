//! Arguments of `sayso token` and `sayso group`.

use super::english;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use sayso_core::Message;
use sayso_desk::token::TokenRole;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum TokenCommand {
    #[command(about = english(Message::AboutTokenNew))]
    New(NewTokenArgs),
    #[command(about = english(Message::AboutTokenList))]
    List {
        #[arg(long, help = english(Message::ArgJson))]
        json: bool,
    },
    #[command(about = english(Message::AboutTokenRevoke))]
    Revoke {
        #[arg(help = english(Message::ArgTokenId))]
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewTokenArgs {
    #[arg(long, value_parser = role_parser(), help = english(Message::ArgRole))]
    pub(crate) role: TokenRole,
    #[arg(long, value_name = "NAME", help = english(Message::ArgAccount))]
    pub(crate) account: String,
    #[arg(long = "for", value_name = "NAMES", value_delimiter = ',', help = english(Message::ArgTokenFor))]
    pub(crate) default_audience: Vec<String>,
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help = english(Message::ArgTokenMayFor))]
    pub(crate) may_for: Vec<String>,
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help = english(Message::ArgExpires))]
    pub(crate) expires: Option<String>,
    #[arg(long, value_name = "FILE", help = english(Message::ArgTokenOut))]
    pub(crate) out: Option<PathBuf>,
    #[arg(long, help = english(Message::ArgJson))]
    pub(crate) json: bool,
}

fn role_parser() -> impl TypedValueParser<Value = TokenRole> {
    let values = TokenRole::ALL.map(|role| {
        PossibleValue::new(role.as_str()).help(english(match role {
            TokenRole::Asker => Message::ValueRoleAsker,
            TokenRole::Person => Message::ValueRolePerson,
            TokenRole::Admin => Message::ValueRoleAdmin,
            TokenRole::Service => Message::ValueRoleService,
        }))
    });
    PossibleValuesParser::new(values).try_map(|word| TokenRole::parse(&word).ok_or("no role"))
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum GroupCommand {
    #[command(about = english(Message::AboutGroupAdd))]
    Add(GroupMembersArgs),
    #[command(about = english(Message::AboutGroupRemove))]
    Remove(GroupMembersArgs),
    #[command(about = english(Message::AboutGroupList))]
    List {
        #[arg(long, help = english(Message::ArgJson))]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct GroupMembersArgs {
    #[arg(value_name = "GROUP", help = english(Message::ArgGroup))]
    pub(crate) group: String,
    #[arg(value_name = "ACCOUNT", required = true, help = english(Message::ArgGroupAccounts))]
    pub(crate) accounts: Vec<String>,
}
