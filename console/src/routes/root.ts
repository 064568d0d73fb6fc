// The root of all pages; the layout around them is put on by the app.
import { createRootRoute } from '@tanstack/react-router';

export const rootRoute = createRootRoute();
