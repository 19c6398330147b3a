//! The scenes of the page in Firefox and WebKit. Chromium alone plays what its own means show:
//!
//! | scene | why |
//! |---|---|
//! | `first_visit`: sizes, and rows while modules load | what is transferred is counted by Chromium's own means |
//! | `first_visit::session_survives_browser_restart` | Playwright cannot give Firefox a profile; the driver of WebKit keeps none |
//! | `safety::parts_load_under_policy` | the manifest is read by Chromium's tools for developers |
//! | `ways::finger_answers_everything` | neither driver has a finger |
//! | `looks` in each scheme and width | neither driver emulates forced colours: each screen is seen once |
//! | `element` | its checks count what Chromium lays out; each of its kinds is answered in `ways` |
//!
//! `firefox_alone` has what the driver of WebKit cannot do: it holds up no request, adds no header, and types nothing into
//! the controls of dates.

use crate::support::browser::page_browser::play_in;

macro_rules! scenes {
    ($browser:ident: $($area:ident { $($scene:ident),+ $(,)? })+) => {
        mod $browser {
            $(mod $area {
                $(#[test] fn $scene() { super::super::play_in(super::super::browser_name(stringify!($browser)), crate::web::$area::$scene); })+
            })+
        }
    };
    ($($areas:tt)+) => {
        scenes! { firefox: $($areas)+ }
        scenes! { webkit: $($areas)+ }
    };
}

fn browser_name(module: &'static str) -> &'static str {
    module.trim_end_matches("_alone")
}

scenes! {
    answering {
        one_question_is_answered, several_answers_are_reviewed, forward_sends_nothing, preset_consent_is_only_marked, decline_carries_reason,
        ended_ask_keeps_typed_text, withdrawn_ask_shows_reason, sent_words_are_not_called_lost,
        wrong_address_is_explained, receipt_has_asker_summary, note_on_the_form_is_reviewed_before_it_is_sent,
        stored_texts_have_the_readers_language,
    }
    first_visit {
        icon_is_kept, link_from_other_site_opens_ask, installed_page_opens_without_server, element_loads_on_any_page,
        outer_form_leads_to_problems,
    }
    forgery { harmful_texts_stay_text, ask_presses_no_answer, short_deadline_chooses_nothing, many_asks_take_no_focus }
    inbox { all_waiting_asks_are_listed, rows_keep_their_order, row_stays_under_pointer, list_keeps_its_place_on_phone, keys_lead_through_inbox }
    looks { screens_are_accessible_once }
    phone { phone_signs_in_by_code, phone_shows_one_question_by_setting }
    safety { no_word_leaves_page }
    service_entry { address_opens_the_users_ask, address_replaces_no_other_user_unasked, address_replaces_no_member }
    shared_drafts {
        browsers_and_terminal_share_draft, change_is_shown_at_its_question, restart_in_mid_word_loses_nothing,
        closed_tab_keeps_unsaved_words, kept_words_merge_like_draft, unsaved_words_survive_end,
        each_replaced_answer_is_shown, replaced_words_survive_end, two_tabs_lose_no_words, full_storage_warns_before_loss,
    }
    ways { mouse_answers_everything }
}

scenes! { firefox_alone:
    answering { page_sends_only_what_it_shows, press_outlasts_the_save, shown_form_stays_while_desk_is_away }
    first_visit { no_page_holds_the_tab }
    inbox { failed_read_is_repeated }
    service_entry { proxy_signs_the_page_in }
    ways { keyboard_answers_everything }
}

/// Short scene for a browser that is not Chromium.
#[test]
fn firefox_answers() {
    play_in("firefox", crate::web::answering::several_answers_are_reviewed);
}
