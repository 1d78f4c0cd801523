<?php

declare(strict_types=1);

// Run by php.test.ts against a real Florin: create, look up, list over pages, refund, and each kind of failure.

use Florin\Exception\AuthenticationException;
use Florin\Exception\ConflictException;
use Florin\Exception\ConnectionException;
use Florin\Exception\InvalidRequestException;
use Florin\Exception\NotFoundException;
use Florin\Florin;
use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;

require __DIR__ . '/bootstrap.php';

$url = (string) getenv('FLORIN_URL');
$paid = (string) getenv('PAID_TX_REF');
$factory = new HttpFactory();
$client = static fn (string $key, string $base, int $retries = 3): Florin => new Florin(
    $key,
    $base,
    new Client(),
    $factory,
    $factory,
    $retries,
    static function (int $milliseconds): void {
    },
);
$florin = $client((string) getenv('FLORIN_KEY'), $url);

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

$new = static fn (string $txRef): array => [
    'tx_ref' => $txRef, 'amount_minor' => 1050, 'currency' => 'GBP', 'email' => 'ada@example.com', 'first_name' => 'Ada',
];
foreach (range(1, 5) as $number) {
    $checkout = $florin->createPayment($new("php-$number"));
    check(preg_match('~/payment/\d{32}$~', $checkout) === 1, 'a checkout URL');
}
$payment = $florin->payment('php-1');
check($payment->status === 'pending' && $payment->amountMinor === 1050, 'the payment as it was created');
check(!$payment->isPaid(1050, 'GBP'), 'it is not paid yet');
check(count(iterator_to_array($florin->payments(['limit' => 2]), false)) >= 6, 'a list over pages');
check($florin->cancel('php-2')->status === 'cancelled', 'a cancelled payment');

$refund = $florin->refund($paid, 100, 'GBP');
check($refund->amountMinor === 100, 'a refund of £1.00');
check(count(iterator_to_array($florin->refunds(['tx_ref' => $paid]), false)) === 1, 'one refund');

$taken = thrown(static fn () => $florin->createPayment(['amount_minor' => 1] + $new('php-1')));
check($taken instanceof ConflictException && $taken->existing['status'] === 'pending', 'tx_ref is taken');
$wrong = thrown(static fn () => $florin->createPayment(['email' => 'nobody'] + $new('php-9')));
check($wrong instanceof InvalidRequestException && isset($wrong->errors['email']), 'the rule that failed');
check(thrown(static fn () => $florin->payment('nothing')) instanceof NotFoundException, 'not found');
check(thrown(static fn () => $client('sk_test_wrong', $url)->payment('x')) instanceof AuthenticationException, 'a wrong key');
$away = thrown(static fn () => $client('sk_test_wrong', 'http://127.0.0.1:1', 1)->payment('x'));
check($away instanceof ConnectionException && !str_contains((string) $away, 'sk_test_wrong'), 'no answer, and no key in it');
check(thrown(static fn () => $florin->createPayment(['amount' => 10.5] + $new('php-8'))) instanceof InvalidArgumentException, 'no floats');

echo "ok\n";
