import { AgentList } from "./views/agents/agent-list";

/** Set Up Agents. */
export default AgentList;
