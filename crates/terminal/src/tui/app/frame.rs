//! Feedback of a frame: what was measured while drawing, for hit testing, scrolling and editing.

use super::super::answer::FieldState;
use super::super::answer::reply::text_input;
use super::super::dialog::Dialog;
use super::super::editor::TextBox;
use super::super::view::{DialogLayer, FrameReport, TextBoxSlot};
use super::App;

impl App {
    /// Applies what a frame measured: hit-test areas, scroll positions and the widths of text boxes. Returns whether the
    /// screen must be drawn again, since the frame drew lines that it still counted as unread.
    #[must_use]
    pub fn apply_frame(&mut self, mut report: FrameReport) -> bool {
        self.size = report.size;
        if let Some(extent) = report.list {
            self.inbox.extent = extent;
        }
        for (slot, columns) in &report.text_widths {
            if let Some(text) = self.text_box_mut(*slot) {
                text.set_width(*columns);
            }
        }
        for (layer, extent) in &report.pagers {
            if let Some(pager) = self.dialog_mut(*layer).and_then(Dialog::pager_mut) {
                pager.set_extent(*extent);
            }
        }
        let submit = report.submit_answer.take();
        let has_new_lines = match &mut self.ask_view {
            Some(view) => {
                view.apply_frame(report.viewport, report.drawn_lines.as_ref(), &report.cut_options, submit)
            }
            None => false,
        };
        self.last_frame = report;
        has_new_lines
    }

    fn dialog_mut(&mut self, layer: DialogLayer) -> Option<&mut Dialog> {
        match layer {
            DialogLayer::Ask => self.ask_view.as_mut()?.dialog.as_mut(),
            DialogLayer::Overlay => {
                let (_, dialog) = self.overlay.as_mut()?;
                Some(dialog)
            }
        }
    }

    fn text_box_mut(&mut self, slot: TextBoxSlot) -> Option<&mut TextBox> {
        match slot {
            TextBoxSlot::InboxFilter => Some(&mut self.inbox.filter),
            TextBoxSlot::Dialog(layer) => self.dialog_mut(layer)?.text_box(),
            TextBoxSlot::OptionFilter => Some(&mut self.current_field_mut()?.filter),
            TextBoxSlot::Answer => Some(&mut self.current_field_mut()?.text),
            TextBoxSlot::Note => Some(&mut self.current_field_mut()?.note),
        }
    }

    fn current_field_mut(&mut self) -> Option<&mut FieldState> {
        text_input::current_field_mut(self.ask_view.as_mut()?)
    }
}
