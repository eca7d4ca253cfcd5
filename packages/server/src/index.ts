export {
  type AgentConfig,
  type AgentContext,
  defineConfig,
  type HoldpointConfig,
} from "./config/config.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server.ts";
