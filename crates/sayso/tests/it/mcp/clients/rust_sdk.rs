//! Tests with rmcp's client: it starts a session, asks for the version first, or assumes the newest; and it makes
//! rounds of its own.

use crate::mcp::host::{answer, release, server};
use crate::support::program::{in_own_session, kill_9, start_lock};
use crate::support::test_world::TestWorld;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ElicitRequestParams, ElicitResult, ElicitationAction,
    Implementation, InitializeRequestParams, ProtocolVersion,
};
use rmcp::service::{RequestContext, RunningService, ServiceError};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _, ErrorData, RoleClient};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::runtime::{Builder, Runtime};

/// Host whose user takes time with forms.
struct SlowFormHost {
    reply: ElicitResult,
    after: Duration,
}

impl ClientHandler for SlowFormHost {
    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        // Time of a person to read and answer.
        tokio::time::sleep(self.after).await;
        Ok(self.reply.clone())
    }

    fn get_info(&self) -> InitializeRequestParams {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        InitializeRequestParams::new(capabilities, Implementation::new("rmcp-host", "1"))
    }
}

fn modes() -> [ClientLifecycleMode; 3] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Auto { preferred_versions: preferred_versions.clone(), legacy_version: None },
        ClientLifecycleMode::Discover { preferred_versions },
    ]
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// Starts a server and initializes it.
async fn connect<H: ClientHandler>(
    world: &TestWorld,
    host: H,
    mode: ClientLifecycleMode,
) -> (RunningService<RoleClient, H>, Child) {
    let call = server(world);
    let mut command = Command::from(in_own_session(&call));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
    let mut child = {
        let _starting = start_lock();
        command.spawn().unwrap()
    };
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    (host.serve_with_lifecycle(pipes, mode).await.unwrap(), child)
}

fn ask() -> CallToolRequestParams {
    CallToolRequestParams::new("ask").with_arguments(release().as_object().unwrap().clone())
}

/// Asks while another task acts as soon as the ask is at the desk.
fn ask_while<H: ClientHandler>(
    runtime: &Runtime,
    world: &TestWorld,
    host: &RunningService<RoleClient, H>,
    meanwhile: impl FnOnce(String) + Send,
) -> Result<Value, ServiceError> {
    std::thread::scope(|scope| {
        scope.spawn(|| meanwhile(world.first_ask().1));
        runtime.block_on(host.call_tool(ask())).map(|result| result.structured_content.unwrap())
    })
}

#[test]
fn rmcp_client_survives_kills() {
    for mode in modes() {
        let (world, runtime) = (TestWorld::new(), runtime());
        let (host, child) = runtime.block_on(connect(&world, (), mode.clone()));
        let tools = runtime.block_on(host.list_all_tools()).unwrap();
        let schema = Value::Object(tools[0].output_schema.as_deref().unwrap().clone());
        let pid = child.id().unwrap();
        let lost = ask_while(&runtime, &world, &host, |_| kill_9(pid));
        assert!(lost.is_err(), "{mode:?}: {lost:?}");

        let (host, child) = runtime.block_on(connect(&world, (), mode.clone()));
        let first = ask_while(&runtime, &world, &host, |id| answer(&world, &id)).unwrap();
        assert_eq!([&first["status"], &first["answers"][0]["value"]], ["answered", "now"], "{mode:?}");
        assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&first), "{first}");
        kill_9(child.id().unwrap());

        let (host, _child) = runtime.block_on(connect(&world, (), mode.clone()));
        assert_eq!(ask_while(&runtime, &world, &host, |_| ()).unwrap(), first, "{mode:?}");
        assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn rmcp_forms_need_reading_time() {
    std::thread::scope(|scope| {
        for mode in modes() {
            scope.spawn(move || fill_in_slowly(&mode));
        }
    });
}

fn fill_in_slowly(mode: &ClientLifecycleMode) {
    let reply = ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "q01": "now" }));
    let (world, runtime) = (TestWorld::new(), runtime());
    world.allow_host_features();
    let in_time = SlowFormHost { reply, after: Duration::from_millis(1_100) };
    let (host, _child) = runtime.block_on(connect(&world, in_time, mode.clone()));
    let text = ask_while(&runtime, &world, &host, |_| ()).unwrap();
    assert_eq!([&text["status"], &text["answered_by"]["assurance"]], ["answered", "relayed"], "{text}");
    assert_eq!(text["answers"][0]["value"], "now", "{mode:?}");
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
}
