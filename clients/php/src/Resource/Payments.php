<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Listing;
use Florin\Money;
use Florin\Result\Payment;
use Florin\Result\Refund;
use Florin\Result\FormRefusal;
use Florin\Result\Notification;

final class Payments
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Creates a payment and returns the checkout URL to send the customer to. A retry never creates a second one.
     *
     * @param array<string, mixed> $payment fields of POST /api/payment; amount_minor (int) instead of amount if you like
     */
    public function create(array $payment, ?string $idempotencyKey = null): string
    {
        $data = $this->api->data(
            'POST',
            '/api/payment',
            body: Money::withAmount($payment, $payment['currency'] ?? null),
            headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))],
            mayRepeat: true,
        );

        return (string) $data['checkout_url'];
    }

    /** Whether you have been paid is its status: see Payment::isPaid(). */
    public function get(string $txRef): Payment
    {
        return Payment::from($this->api->data('GET', '/api/transaction/{tx_ref}', ['tx_ref' => $txRef]));
    }

    /**
     * @param array<string, string|int|bool> $filters of GET /api/transactions
     * @return Listing<Payment> newest first
     */
    public function list(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/transactions', [], $filters, Payment::from(...));
    }

    public function cancel(string $txRef): Payment
    {
        return Payment::from($this->api->data('POST', '/api/transaction/{tx_ref}/cancel', ['tx_ref' => $txRef]));
    }

    /** @param array<string, string|int|bool> $filters of GET /api/transactions.csv */
    public function exportCsv(array $filters = []): string
    {
        return $this->api->text('GET', '/api/transactions.csv', $filters);
    }

    /**
     * Sends money back: all that is left, or an amount. Sent again with the same refund_ref it changes nothing.
     *
     * @param array<string, mixed> $refund refund_ref (made up if left out), amount as text or amount_minor with currency, reason
     */
    public function refund(string $txRef, array $refund = []): Refund
    {
        $body = Money::withAmount($refund, $refund['currency'] ?? null);
        unset($body['currency']);

        return Refund::from($this->api->data(
            'POST',
            '/api/transaction/{tx_ref}/refund',
            ['tx_ref' => $txRef],
            $body + ['refund_ref' => 'refund-' . bin2hex(random_bytes(16))],
            mayRepeat: true,
        ));
    }

    /**
     * @param array<string, string|int|bool> $filters
     * @return Listing<Refund>
     */
    public function refunds(string $txRef, array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/transaction/{tx_ref}/refunds', ['tx_ref' => $txRef], $filters, Refund::from(...));
    }

    /**
     * What Florin told you and the customer about a payment, with every try.
     *
     * @param array<string, string|int|bool> $filters
     * @return Listing<Notification>
     */
    public function notifications(string $txRef, array $filters = []): Listing
    {
        return $this->api->list(
            'GET',
            '/api/transaction/{tx_ref}/notifications',
            ['tx_ref' => $txRef],
            $filters,
            Notification::from(...),
        );
    }

    /** Sends a notification again and returns its id. */
    public function resendNotification(string $txRef, string $id): string
    {
        $path = ['tx_ref' => $txRef, 'id' => $id];

        return (string) $this->api->data('POST', '/api/transaction/{tx_ref}/notifications/{id}/resend', $path)['id'];
    }

    /**
     * Web forms that were refused, and why.
     *
     * @param array<string, string|int|bool> $filters
     * @return Listing<FormRefusal>
     */
    public function formRefusals(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/form-refusals', [], $filters, FormRefusal::from(...));
    }
}
