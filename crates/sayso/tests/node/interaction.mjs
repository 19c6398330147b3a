// Two clients of the stock `ws` package: one sends its token as a header, the other as browsers must. Each line is an
// event that one of them received. The first one responds to every form with the next of its given responses.
import WebSocket from "ws";

const [address, token, responses] = [process.argv[2], process.argv[3], JSON.parse(process.argv[4])];
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const hello = JSON.stringify({
  type: "hello", protocolVersion: 2, sessionId: "s1", interaction: { supported: true, enabled: true },
});

const open = (who, socket, more) => {
  socket.on("open", () => {
    socket.send(hello);
    say({ who, open: socket.protocol });
  });
  socket.on("message", (data, isBinary) => {
    const frame = JSON.parse(data.toString());
    say({ who, isBinary, frame });
    more(socket, frame);
  });
  socket.on("close", (code) => say({ who, close: code }));
  socket.on("error", (error) => say({ who, error: String(error) }));
};

open("header", new WebSocket(`ws://${address}/ws`, { headers: { authorization: `Bearer ${token}` } }), (socket, frame) => {
  const { event } = frame;
  if (event?.type === "interaction_request") {
    const { toolCallId: callId, interactionId } = event.payload;
    const response = responses.shift();
    socket.send(JSON.stringify({
      type: "tool_interaction_response", sessionId: frame.sessionId, callId, interactionId, ...response,
    }));
  }
  if (event?.payload.pending === false) socket.close(1000);
});
open("browser", new WebSocket(`ws://${address}/ws`, ["interaction", token]), (socket, frame) => {
  if (frame.event?.payload.pending === false) socket.close(1000);
});
