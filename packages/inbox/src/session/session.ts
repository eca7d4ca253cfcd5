import { client } from "../client.ts";
import { createSessionStore } from "./session-store.ts";

/** The session of this page. */
export const session = createSessionStore(client);
