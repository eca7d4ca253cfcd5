import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { watchOpenReviews } from "./inbox/watch-open-reviews.ts";
import { followOneTimeLinks } from "./session/one-time-link.ts";
import { session } from "./session/session.ts";
import "./styles/tokens.css";
import "./styles/base.css";

if (!followOneTimeLinks((token) => void session.enter(token))) void session.check();
watchOpenReviews();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id `root`.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
