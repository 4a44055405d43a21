import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#test/browser/support/eventually.ts';
import { type Stage, startStage, type Visitor } from '#test/browser/support/stage.ts';

// Failures must not affect a brand's page or its visitors, except for a line in the console.

let stage: Stage;
let visitor: Visitor;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

beforeEach(async () => {
  stage.http.head = stage.scriptTag();
  stage.gate.reset();
  visitor = await stage.visitor();
});
afterEach(() => visitor.leave());

const visit = (path: string) => visitor.page.goto(stage.http.url('www.brand.test', path));
const logs = (...lines: RegExp[]) =>
  eventually(() => expect(visitor.logged).toEqual(lines.map((line) => expect.stringMatching(line))));

describe('the service', () => {
  it('when it cannot be reached costs the page nothing, and the next page sends the click', async () => {
    stage.gate.isBroken = true;
    await visit('/?aff=ana');
    await logs(/^error: \[Affiliate\] click TypeError: Failed to fetch/);
    expect(Object.keys(await visitor.cookies())).toEqual(['service_aff_url']);
    stage.gate.isBroken = false;
    await visit('/pricing');
    await eventually(async () => expect((await visitor.cookies()).service_click_id?.value).toMatch(/^clk_/));
    expect(stage.gate.sent.at(-1)?.body.affiliate_url).toBe(stage.http.url('www.brand.test', '/?aff=ana'));
  });

  it('when its address is wrong costs the page nothing', async () => {
    stage.http.head = stage.scriptTag(`data-service-api-base="${stage.http.url('www.brand.test', '')}"`);
    await visit('/?aff=ana');
    await logs(/^error: \[Affiliate\] click SyntaxError/);
    await visitor.page.evaluate(() => window.service?.signup('user_123'));
    await logs(/click SyntaxError/, /^error: \[Affiliate\] lead SyntaxError/);
    expect(stage.gate.sent).toEqual([]);
  });

  it('when it is slow holds up neither the page nor the calls on it', async () => {
    const answer = stage.gate.holdClicks();
    await visit('/?aff=ana');
    await visitor.page.waitForFunction(() => window.service?.loaded && document.readyState === 'complete');
    expect(await visitor.page.evaluate(() => window.service?.getClickId())).toBeNull();
    answer();
    await eventually(async () => expect((await visitor.cookies()).service_click_id).toBeDefined());
  });
});

describe('a link', () => {
  it('that is disabled leaves no cookie, and with debug the reason in the log', async () => {
    stage.http.head = stage.scriptTag('data-service-debug');
    await visit('/?aff=gone');
    await logs(/^info: \[Affiliate\] click 410 .*Ask the program owner to reactivate this link/);
    // It goes after the reason is logged.
    await eventually(async () => expect(await visitor.cookies()).toEqual({}));
    expect(stage.gate.sent).toHaveLength(1);
  });

  it('that is unknown leaves no cookie, and with debug the reason in the log', async () => {
    stage.http.head = stage.scriptTag('data-service-debug');
    await visit('/?aff=nobody');
    await logs(/^info: \[Affiliate\] click 400 .*Referral link not found/);
    // It goes after the reason is logged.
    await eventually(async () => expect(await visitor.cookies()).toEqual({}));
  });
});

describe('a page', () => {
  it('whose origin the program does not allow gets an error, and no click is recorded', async () => {
    const { http } = stage;
    await visitor.page.goto(http.url('www.elsewhere.test', '/?aff=ana'));
    await logs(
      /^error: \[Affiliate\] click TypeError: Failed to fetch[^]* Is http:\/\/www\.elsewhere\.test:\d+ an allowed origin of the program/,
    );
    expect(stage.gate.sent).toEqual([]);
  });

  it('that calls signup without key gets an error in the console', async () => {
    await visit('/');
    await visitor.page.waitForFunction(() => window.service?.loaded);
    await visitor.page.evaluate(() => window.service?.signup());
    await logs(/^error: \[Affiliate\] signup needs your customer key\. Nothing was sent\.$/);
    expect(stage.gate.sent).toEqual([]);
  });

  it('without fetch gets an error in the console', async () => {
    stage.http.head = `<script>window.fetch = undefined;</script>${stage.scriptTag()}`;
    await visit('/?aff=ana');
    await logs(/^error: \[Affiliate\] click TypeError/);
    expect(stage.gate.sent).toEqual([]);
  });

  it('with the script twice sends one click', async () => {
    stage.http.head = stage.scriptTag() + stage.scriptTag();
    await visit('/?aff=ana');
    await eventually(async () => expect((await visitor.cookies()).service_aff_last).toBeDefined());
    await visitor.page.waitForLoadState('networkidle');
    expect(stage.gate.sent).toHaveLength(1);
  });

  it('can send a test click, which is recorded as such', async () => {
    stage.http.head = stage.scriptTag('data-service-debug');
    await visit('/');
    await visitor.page.waitForFunction(() => window.service?.loaded);
    await visitor.page.evaluate(() => window.service?.trackTest());
    await logs(/^info: \[Affiliate\] click 200 .*"test_mode":true/);
    const { program_id: id } = stage.service.demo;
    const { data } = await stage.service.dashboard('GET', `/programs/${id}/events?type=click&include_test=1&limit=1`);
    expect(data).toMatchObject([{ is_test: true, keyed: false }]);
    expect(await visitor.cookies()).toEqual({});
  });
});
