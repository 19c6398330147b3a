//! Unicode properties that `\p{…}` knows in JavaScript, with exactly these spellings, case included.

/// General categories, short and long.
const CATEGORIES: &str = "\
    C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z \
    Zl Zp Zs Other Control Format Unassigned Private_Use Surrogate Letter Cased_Letter \
    Lowercase_Letter Modifier_Letter Other_Letter Titlecase_Letter Uppercase_Letter Mark \
    Combining_Mark Spacing_Mark Enclosing_Mark Nonspacing_Mark Number Decimal_Number digit \
    Letter_Number Other_Number Punctuation punct Connector_Punctuation Dash_Punctuation \
    Close_Punctuation Final_Punctuation Initial_Punctuation Other_Punctuation Open_Punctuation Symbol \
    Currency_Symbol Modifier_Symbol Math_Symbol Other_Symbol Separator Line_Separator \
    Paragraph_Separator Space_Separator";

/// Binary properties.
const BINARY: &str = "\
    ASCII Any Assigned ASCII_Hex_Digit AHex Alphabetic Alpha Bidi_Control Cased Case_Ignorable CI Dash \
    Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji Emoji_Component EComp \
    Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic \
    ExtPict Extender Ext Hex_Digit Hex ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control \
    Join_C Lowercase Lower Math Noncharacter_Code_Point NChar Quotation_Mark QMark Radical \
    Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term \
    Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC \
    XID_Start XIDS";

/// Returns whether JavaScript may know a property. The engine checks the name of a script.
pub(super) fn is_known(name: &str) -> bool {
    match name.split_once('=') {
        None => list_contains(CATEGORIES, name) || list_contains(BINARY, name),
        Some(("General_Category" | "gc", value)) => list_contains(CATEGORIES, value),
        Some(("Script" | "sc" | "Script_Extensions" | "scx", value)) => {
            value.starts_with(|c: char| c.is_ascii_uppercase())
                && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        }
        Some(_) => false,
    }
}

fn list_contains(names: &str, name: &str) -> bool {
    names.split(' ').any(|entry| entry == name)
}
