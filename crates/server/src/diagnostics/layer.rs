//! Layer that turns events into lines.

use super::LogConfig;
use super::fields::FieldList;
use super::line::LogLine;
use super::target::LogTarget;
use super::writer::LogWriter;
use jiff::Timestamp;
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Layer that turns events of our targets into lines, with the fields of the spans they are in.
#[derive(Debug)]
pub(super) struct LogLayer {
    pub(super) config: LogConfig,
    pub(super) now: fn() -> Timestamp,
    pub(super) writer: LogWriter,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for LogLayer {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.config.filter.allows(metadata) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        self.config.filter.allows(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        // Spans have the level `ERROR`.
        Some(self.config.filter.max_level().max(LevelFilter::ERROR))
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = FieldList::default();
        attributes.record(&mut fields);
        span.extensions_mut().insert(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(fields) = span.extensions_mut().get_mut::<FieldList>() {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let metadata = event.metadata();
        let Some(target) = LogTarget::from_path(metadata.target()) else { return };
        let mut fields = FieldList::default();
        event.record(&mut fields);
        if target != LogTarget::Request {
            for span in context.event_scope(event).into_iter().flatten() {
                if let Some(span_fields) = span.extensions().get::<FieldList>() {
                    fields.add_missing(span_fields);
                }
            }
        }
        self.writer.write_line(|lines_lost| {
            let line =
                LogLine { time: (self.now)(), level: *metadata.level(), target, fields: &fields, lines_lost };
            line.render(self.config.format)
        });
    }
}
