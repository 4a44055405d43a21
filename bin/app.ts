import { serviceApp } from '#infra/service-app.ts';

serviceApp().synth();
