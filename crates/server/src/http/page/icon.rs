//! Icon of the page: a speech bubble with a tick, and the number of waiting asks. The pages hold it themselves: a browser
//! needs a document of its own for an image of this kind, which takes as long as the script of the page.

/// Returns the icon as SVG, with a number if it is not 0.
pub(in crate::http) fn icon_svg(waiting: u64) -> String {
    let bubble = "<rect x='4' y='6' width='56' height='44' rx='14' fill='#17624f'/>\
                  <path d='M16 46v14l16-12z' fill='#17624f'/>";
    let tick = "<path d='M19 28l9 9 17-18' fill='none' stroke='#fff' stroke-width='6' \
                stroke-linecap='round' stroke-linejoin='round'/>";
    let number = match waiting {
        0 => String::new(),
        count => format!(
            "<circle cx='46' cy='18' r='18' fill='#c2361b'/><text x='46' y='18' fill='#fff' \
             font-family='system-ui,sans-serif' font-weight='700' font-size='{}' text-anchor='middle' \
             dominant-baseline='central'>{count}</text>",
            if count > 9 { 20 } else { 26 }
        ),
    };
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>{bubble}{tick}{number}</svg>")
}
