import type { Json, JsonObject } from '#libs/platform/json/json';
import { pack, type Packed, unpack } from '#libs/runs/executions/record/pack';

/** The stored values of one run, in memory. They are packed as in the product, so large ones travel as references. */
export class ScenarioValues {
  private readonly bodies = new Map<string, Json>();

  put(value: Json): Json {
    return this.keep(pack(value));
  }

  putInputs(inputs: JsonObject): JsonObject {
    return this.keep(pack(inputs));
  }

  /** The whole value again. */
  resolve(value: Json): Json {
    return unpack(value, this.bodies);
  }

  private keep<T extends Json>({ value, payloads }: Packed<T>): T {
    for (const { id, body } of payloads) this.bodies.set(id, JSON.parse(body));
    return value;
  }
}
