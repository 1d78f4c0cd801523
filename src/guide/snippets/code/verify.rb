require "base64"
require "openssl"

# raw_body: request.body.read. headers: with names in lower case.
def verify_notification(raw_body, headers, secret)
  id = headers["webhook-id"].to_s
  timestamp = headers["webhook-timestamp"].to_s
  return false if id.empty? || !timestamp.b.match?(/\A[0-9]{1,12}\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  key = Base64.decode64(secret.delete_prefix("whsec_"))
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + raw_body.b)
  expected = "v1,#{Base64.strict_encode64(digest)}"
  headers["webhook-signature"].to_s.b.split(" ").any? do |signature|
    signature.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(signature, expected)
  end
end
