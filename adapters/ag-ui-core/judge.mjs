// Reads JSON Lines on standard input, answers `accept` or `reject` a line on standard
// output: what the zod schemas of @ag-ui/core say about an event, or with the argument
// `input` about a RunAgentInput. A line that is no JSON is rejected.
import { once } from "node:events";
import { EventSchemas, RunAgentInputSchema } from "@ag-ui/core/schemas";

const kinds = { event: EventSchemas, input: RunAgentInputSchema };
const schema = kinds[process.argv[2] ?? "event"];
if (schema === undefined) {
  console.error(`usage: node judge.mjs [${Object.keys(kinds).join("|")}]`);
  process.exit(2);
}

function judge(line) {
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    return "reject\n";
  }
  return schema.safeParse(value).success ? "accept\n" : "reject\n";
}

// Not node:readline: it also ends lines at U+2028, which JSON strings may hold.
let rest = "";
process.stdin.setEncoding("utf8");
for await (const piece of process.stdin) {
  const lines = (rest + piece).split("\n");
  rest = lines.pop();
  if (!process.stdout.write(lines.map(judge).join(""))) {
    await once(process.stdout, "drain");
  }
}
if (rest !== "") {
  process.stdout.write(judge(rest));
}
