import { SessionsMenu } from "./views/sessions-menu";

/** Sessions in Menu Bar. */
export default SessionsMenu;
