<?php

declare(strict_types=1);

// Run by php.test.ts against a real Florin, one story at a time.

use Florin\Exception\AuthenticationException;
use Florin\Exception\ConflictException;
use Florin\Exception\ConnectionException;
use Florin\Exception\InvalidRequestException;
use Florin\Exception\NotFoundException;
use Florin\Exception\RateLimitException;
use Florin\Florin;
use Florin\Webhook;
use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;

require __DIR__ . '/bootstrap.php';

function client(?string $key = null, ?string $url = null, int $retries = 3, ?Closure $wait = null): Florin
{
    $factory = new HttpFactory();

    return new Florin(
        $key ?? (string) getenv('FLORIN_KEY'),
        $url ?? (string) getenv('FLORIN_URL'),
        new Client(),
        $factory,
        $factory,
        $retries,
        $wait ?? static function (int $milliseconds): void {
        },
    );
}

/** @return array<string, mixed> */
function order(string $txRef): array
{
    return [
        'tx_ref' => $txRef, 'amount_minor' => 1050, 'currency' => 'GBP', 'email' => 'ada@example.com', 'first_name' => 'Ada',
        'callback_url' => (string) getenv('CALLBACK_URL'),
    ];
}

/** Asks the test that runs this. */
function ask(string $question): mixed
{
    echo "? $question\n";

    return json_decode((string) fgets(STDIN), true, 64, JSON_THROW_ON_ERROR);
}

function check(bool $holds, string $what): void
{
    if (!$holds) {
        fwrite(STDERR, "Failed: $what\n");
        exit(1);
    }
}

function thrown(Closure $call): Throwable
{
    try {
        $call();
    } catch (Throwable $error) {
        return $error;
    }
    check(false, 'something was to be thrown');
}

$stories = [
    'journey' => static function (): void {
        $florin = client();
        $checkoutUrl = $florin->payments->create(order('php-journey'));
        check(preg_match('~/payment/\d{32}$~', $checkoutUrl) === 1, 'a checkout URL');
        $pending = $florin->payments->get('php-journey');
        check($pending->checkoutUrl === $checkoutUrl && !$pending->isPaid(1050, 'GBP'), 'it is not paid yet');
        ['body' => $body, 'headers' => $headers, 'secret' => $secret] = ask($checkoutUrl);
        $event = Webhook::verify($body, $headers, $secret);
        check($event->name === 'payment.success' && $event->payment()->isPaid(1050, 'GBP'), 'the webhook');
        check(Webhook::verifyPlain($body, $headers['signature'], $secret)->name === $event->name, 'the other scheme');
        check($florin->payments->get('php-journey')->isPaid(1050, 'GBP'), 'it is paid');
        $half = $florin->payments->refund('php-journey', ['amount_minor' => 525, 'currency' => 'GBP', 'refund_ref' => 'php-half']);
        check($half->amountMinor === 525 && $half->status === 'success', 'half of it goes back');
        $again = $florin->payments->refund('php-journey', ['amount' => '5.25', 'refund_ref' => 'php-half']);
        check($again->refundRef === 'php-half', 'sent again it is the same refund');
        check(count($florin->payments->refunds('php-journey')->toArray(10)) === 1, 'one refund');
        $florin->payments->refund('php-journey');
        check($florin->payments->get('php-journey')->status === 'refunded', 'all of it went back');
        check($florin->refunds->get('php-half')->txRef === 'php-journey', 'a refund by its reference');
        check(str_contains($florin->refunds->exportCsv(['tx_ref' => 'php-journey']), '5.25'), 'refunds as CSV');
    },
    'saved' => static function (): void {
        $methods = client()->savedMethods;
        $id = (string) getenv('SAVED_METHOD');
        $charge = ['tx_ref' => 'php-charge', 'amount_minor' => 990, 'currency' => 'GBP'];
        check($methods->charge($id, $charge)->isPaid(990, 'GBP'), 'a saved method is charged');
        check($methods->charge($id, $charge)->txRef === 'php-charge', 'sent again it is the same charge');
        check($methods->list(['customer_ref' => 'customer-77'])->toArray(10)[0]->last4 === '4242', 'the methods of a customer');
        check($methods->get($id)->usable && !$methods->end($id)->usable && !$methods->get($id)->usable, 'it is ended');
        $refused = thrown(static fn () => $methods->charge($id, ['tx_ref' => 'php-charge-2'] + $charge));
        check($refused instanceof ConflictException && $refused->errorCode === 'method_ended', 'it is never charged again');
    },
    'lists' => static function (): void {
        $florin = client();
        foreach (range(1, 5) as $number) {
            $florin->payments->create(order("php-list-$number"));
        }
        $seen = [];
        foreach ($florin->payments->list(['limit' => 2, 'status' => 'pending']) as $payment) {
            $seen[$payment->txRef] = $payment->amountMinor;
        }
        check(count($seen) >= 5 && $seen['php-list-3'] === 1050, 'a list over pages');
        check(count($florin->payments->list(['limit' => 2])->toArray(3)) === 3, 'up to a limit');
        $first = $florin->payments->list(['limit' => 2, 'totals' => true])->page();
        check(count($first->items) === 2 && !$first->isLast() && count($first->meta['totals']) > 0, 'a page with totals');
        check($florin->payments->cancel('php-list-2')->status === 'cancelled', 'a cancelled payment');
        $projects = client((string) getenv('FLORIN_API_KEY'))->projects;
        foreach (range(1, 12) as $number) {
            $projects->create(['project' => "PHP $number"]);
        }
        check(count(iterator_to_array($projects->list(['per_page' => 10]), false)) >= 12, 'projects over pages');
    },
    'failures' => static function (): void {
        $florin = client();
        $florin->payments->create(order('php-taken'));
        $taken = thrown(static fn () => $florin->payments->create(['amount_minor' => 1] + order('php-taken')));
        check($taken instanceof ConflictException && $taken->existing['status'] === 'pending', 'tx_ref is taken');
        $wrong = thrown(static fn () => $florin->payments->create(['email' => 'nobody'] + order('php-9')));
        check($wrong instanceof InvalidRequestException && isset($wrong->errors['email']), 'the rule that failed');
        check($wrong->status === 400 && $wrong->errorCode === 'validation_failed' && $wrong->requestId !== null, 'its details');
        check(thrown(static fn () => $florin->payments->get('nothing')) instanceof NotFoundException, 'not found');
        $revoked = (string) getenv('REVOKED_KEY');
        $wait = static fn () => check(false, 'a revoked key is not tried again');
        $refused = thrown(static fn () => client($revoked, wait: $wait)->payments->get('x'));
        check($refused instanceof AuthenticationException && !str_contains(print_r($refused, true), $revoked), 'a revoked key');
        $away = thrown(static fn () => client('sk_test_secret', 'http://127.0.0.1:1', 1)->payments->get('x'));
        check($away instanceof ConnectionException && !str_contains((string) $away, 'sk_test_secret'), 'no answer, and no key');
        check(!str_contains(print_r(client('sk_test_secret'), true), 'sk_test_secret'), 'a dump of the client has no key');
        foreach ([['amount' => 10.5], ['amount_minor' => 10.5]] as $float) {
            $order = array_diff_key(order('php-8'), ['amount_minor' => 0]);
            check(thrown(static fn () => $florin->payments->create($float + $order)) instanceof InvalidArgumentException, 'no floats');
        }
    },
    'limited' => static function (): void {
        $pauses = [];
        $patient = client(retries: PHP_INT_MAX, wait: static function (int $milliseconds) use (&$pauses): void {
            $pauses[] = $milliseconds;
        });
        foreach (range(1, 3) as $_) {
            $patient->account->get();
        }
        check($pauses === [] || min($pauses) >= 1_000, 'as long as the server says');
        $impatient = client(retries: 0);
        $refused = thrown(static function () use ($impatient): void {
            foreach (range(1, 200) as $_) {
                $impatient->account->get();
            }
        });
        check($refused instanceof RateLimitException && $refused->retryAfterSeconds >= 1, 'too many calls');
    },
    'killed' => static function (): void {
        $florin = client(wait: static fn () => ask('restart'));
        $florin->payments->create(order('php-before'));
        ask('kill');
        $checkoutUrl = $florin->payments->create(order('php-after'));
        check($florin->payments->get('php-after')->checkoutUrl === $checkoutUrl, 'created once, after the server came back');
    },
    'broken' => static function (): void {
        check(client()->account->get()->mode === 'test', 'the third answer is whole');
    },
    'tls' => static function (): void {
        foreach (['PLAIN_URL', 'UNKNOWN_URL'] as $name) {
            $error = thrown(static fn () => client(url: (string) getenv($name), retries: 1)->payments->create(order('php-tls')));
            check($error instanceof ConnectionException, $name);
            check(!str_contains((string) $error, (string) getenv('FLORIN_KEY')), "$name: no key in it");
        }
    },
];

$stories[$argv[1]]();
